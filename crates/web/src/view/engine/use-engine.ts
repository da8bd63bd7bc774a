import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Engine, type EnginePosition, type EngineStatus } from '../../store/engine.ts';
import { useClient } from '../context.ts';

/** The engine's analysis of the current position, and a way to request it again. */
export interface EngineView {
  readonly thought: EngineStatus;
  readonly again: () => void;
}

const OFF: EngineStatus = { kind: 'off' };
const NOTHING_YET: EngineStatus = { kind: 'looking', last: null };

/** Has the engine look at where one is, for who wants that. */
export function useEngine(place: EnginePosition): EngineView {
  const engine = useMemo(() => new Engine(), []);
  const isOn = useClient().preferences.engine.value;
  const key = place.kind === 'known' ? `known ${place.key}` : place.kind;
  const here = useRef(place);
  here.current = place;
  useEffect(() => {
    if (isOn) engine.analyse(here.current);
    else engine.stop();
    // Equal keys are equal places.
  }, [engine, isOn, key]);
  useEffect(() => () => engine.stop(), [engine]);
  const thought = engine.status.value;
  // What the switch says counts at once, so that nothing jumps a moment later.
  const isToBegin = isOn && thought.kind === 'off';
  return { thought: isToBegin ? NOTHING_YET : isOn ? thought : OFF, again: () => engine.retry(place) };
}
