import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Engine, type EnginePosition, type EngineStatus } from '../../store/engine.ts';
import { useClient } from '../context.ts';

/** The state of the engine's analysis, and a function that requests it again. */
export interface EngineView {
  readonly status: EngineStatus;
  readonly retry: () => void;
}

const OFF: EngineStatus = { kind: 'off' };
const SEARCHING: EngineStatus = { kind: 'searching', previous: null };

/** Requests the analysis of a position while the engine is switched on. */
export function useEngine(position: EnginePosition): EngineView {
  const engine = useMemo(() => new Engine(), []);
  const isOn = useClient().preferences.engine.value;
  const key = position.kind === 'known' ? `known ${position.key}` : position.kind;
  const latest = useRef(position);
  latest.current = position;
  useEffect(() => {
    if (isOn) engine.analyse(latest.current);
    else engine.stop();
    // The key stands for the position: equal keys mean equal positions.
  }, [engine, isOn, key]);
  useEffect(() => () => engine.stop(), [engine]);
  const status = engine.status.value;
  // The card shows the search in the same rendering in which the engine is switched on, so that
  // nothing moves later.
  const isStarting = isOn && status.kind === 'off';
  return { status: isStarting ? SEARCHING : isOn ? status : OFF, retry: () => engine.retry(position) };
}
