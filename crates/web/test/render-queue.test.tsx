import { signal } from '@preact/signals';
import { options, render, type JSX } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInOwnTask, renderLater } from '../src/view/render-queue.ts';

const { debounceRendering } = options;

beforeEach(() => {
  count.value = 0;
  renderInOwnTask();
});
afterEach(() => {
  render(null, document.body);
  if (debounceRendering === undefined) delete options.debounceRendering;
  else options.debounceRendering = debounceRendering;
});

const count = signal(0);

function countUp(): void {
  count.value += 1;
}

function Counter(): JSX.Element {
  return <button type="button">{String(count.value)}</button>;
}

function renderCounter(): HTMLButtonElement {
  render(<Counter />, document.body);
  const button = document.querySelector('button');
  if (button === null) throw new Error('the button is rendered');
  return button;
}

it('components are rendered in a task after the one that has changed them', async () => {
  const button = renderCounter();
  countUp();
  await Promise.resolve();
  expect(button.textContent).toBe('0');
  await expectRenderedLater(button);
});

it('components that a frame of the server has changed are rendered in a later task', async () => {
  const button = renderCounter();
  await handling(new MessageEvent('message'), countUp);
  expect(button.textContent).toBe('0');
  await expectRenderedLater(button);
});

it('components that the user has changed are rendered at once', async () => {
  const button = renderCounter();
  await handling(new Event('click'), countUp);
  expect(button.textContent).toBe('1');
});

it('components that the user has changed by an event of `renderLater` are rendered in a later task', async () => {
  const button = renderCounter();
  const click = new Event('click');
  renderLater(click);
  await handling(click, countUp);
  expect(button.textContent).toBe('0');
  await expectRenderedLater(button);
});

it('changed components are rendered before the user’s next press', () => {
  const button = renderCounter();
  for (const [index, type] of ['pointerdown', 'click', 'keydown', 'beforeinput', 'submit'].entries()) {
    countUp();
    expect(button.textContent).toBe(String(index));
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    expect(button.textContent, type).toBe(String(index + 1));
  }
});

it('keeps what the user types and ticks while a change waits for its rendering', () => {
  const typed = signal('');
  const ticked = signal(false);
  function Form(): JSX.Element {
    return (
      <form data-count={count.value}>
        <input type="text" value={typed.value} onInput={({ currentTarget }) => (typed.value = currentTarget.value)} />
        <input type="checkbox" checked={ticked.value} onChange={({ currentTarget }) => (ticked.value = currentTarget.checked)} />
      </form>
    );
  }
  render(<Form />, document.body);
  const [text, box] = document.querySelectorAll('input');
  if (text === undefined || box === undefined) throw new Error('the fields are rendered');
  countUp();
  text.value = 'Ada';
  text.dispatchEvent(new Event('input', { bubbles: true }));
  expect(typed.value).toBe('Ada');
  countUp();
  box.click();
  expect(ticked.value).toBe(true);
});

/** Waits for the task that renders, which is queued by a message channel, and not in the order of timers. */
async function expectRenderedLater(button: HTMLButtonElement): Promise<void> {
  await vi.waitFor(() => {
    expect(button.textContent).toBe('1');
  });
}

/** Runs a handler of an event, and the microtasks after it. */
async function handling(event: Event, handler: () => void): Promise<void> {
  Object.assign(globalThis, { event });
  handler();
  Object.assign(globalThis, { event: undefined });
  await Promise.resolve();
}
