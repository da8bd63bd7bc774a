import { options } from 'preact';

/** The renderings that wait for their task. */
const waiting: (() => void)[] = [];

/**
 * The events of the user before which changed components are rendered, because their handlers use
 * the state of the last rendering. At `input` and `change` a field already has its new content,
 * which a rendering with the state from before would replace.
 */
const INPUT_EVENTS = ['pointerdown', 'click', 'keydown', 'beforeinput', 'submit'] as const;

/** The fields that have their new state at a click already. */
const TOGGLES = 'input:is([type="checkbox"], [type="radio"])';

/** The events of the user whose changes are rendered in a task of its own. */
const deferred = new WeakSet<Event>();

/**
 * Renders components that frames of the server, timers and effects have changed in a task of its
 * own, between which and the change the browser can react to the user. Components that the user has
 * changed are rendered at once, except by the events of `renderLater`.
 */
export function renderInOwnTask(): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', renderWaiting);
  port1.start();
  options.debounceRendering = (render) => {
    if (isHandlingInput()) {
      queueMicrotask(render);
      return;
    }
    waiting.push(render);
    port2.postMessage(null);
  };
  for (const type of INPUT_EVENTS) addEventListener(type, renderBefore, { capture: true });
}

/**
 * Renders the changes by the handlers of an event of the user in a task of its own. This is for
 * events that change so much that the event and the rendering are a long task together.
 */
export function renderLater(event: Event): void {
  deferred.add(event);
}

function renderBefore({ type, target }: Event): void {
  const isToggled = type === 'click' && target instanceof Element && target.matches(TOGGLES);
  if (!isToggled) renderWaiting();
}

function renderWaiting(): void {
  for (const render of waiting.splice(0)) render();
}

/** Returns whether the browser is calling the handlers of an event whose changes are rendered at once. */
function isHandlingInput(): boolean {
  const { event } = globalThis as { event?: Event };
  return event !== undefined && !(event instanceof MessageEvent) && !deferred.has(event);
}
