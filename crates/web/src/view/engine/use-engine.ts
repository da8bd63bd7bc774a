import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Engine, type EnginePlace, type Thought } from '../../store/engine.ts';
import { useClient } from '../context.ts';

/** The engine's analysis of the current position, and a way to request it again. */
export interface EngineView {
  readonly thought: Thought;
  readonly again: () => void;
}

const OFF: Thought = { kind: 'off' };
const NOTHING_YET: Thought = { kind: 'looking', last: null };

/** Has the engine look at where one is, for who wants that. */
export function useEngine(place: EnginePlace): EngineView {
  const engine = useMemo(() => new Engine(), []);
  const isOn = useClient().preferences.engine.value;
  const key = place.kind === 'known' ? `known ${place.key}` : place.kind;
  const here = useRef(place);
  here.current = place;
  useEffect(() => {
    if (isOn) engine.look(here.current);
    else engine.rest();
    // Equal keys are equal places.
  }, [engine, isOn, key]);
  useEffect(() => () => engine.rest(), [engine]);
  const thought = engine.thought.value;
  // What the switch says counts at once, so that nothing jumps a moment later.
  const isToBegin = isOn && thought.kind === 'off';
  return { thought: isToBegin ? NOTHING_YET : isOn ? thought : OFF, again: () => engine.again(place) };
}
