import { options } from 'preact';

/** The renderings that wait for their task. */
const waiting: (() => void)[] = [];

/**
 * The events of the user before which changed components are rendered, because their handlers use
 * the state of the last rendering.
 */
const INPUT_EVENTS = ['pointerdown', 'click', 'keydown', 'input', 'change', 'submit'] as const;

/**
 * Renders components that frames of the server, timers and effects have changed in a task of its
 * own, between which and the change the browser can react to the user. Components that the user has
 * changed are rendered at once.
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
  for (const type of INPUT_EVENTS) addEventListener(type, renderWaiting, { capture: true });
}

function renderWaiting(): void {
  for (const render of waiting.splice(0)) render();
}

/** Returns whether the browser is calling the handlers of an event other than a message. */
function isHandlingInput(): boolean {
  const { event } = globalThis as { event?: Event };
  return event !== undefined && !(event instanceof MessageEvent);
}
