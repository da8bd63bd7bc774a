import type { JSX } from 'preact';

/** The sign of Quadrex: four arms around a board. */
export function Brand(): JSX.Element {
  return (
    <svg class="brand-sign" viewBox="0 0 64 64" aria-hidden="true">
      <path class="arm" data-color="red" d="M20 46h24v14a2 2 0 0 1-2 2H22a2 2 0 0 1-2-2z" />
      <path class="arm" data-color="blue" d="M18 20v24H4a2 2 0 0 1-2-2V22a2 2 0 0 1 2-2z" />
      <path class="arm" data-color="yellow" d="M44 18H20V4a2 2 0 0 1 2-2h20a2 2 0 0 1 2 2z" />
      <path class="arm" data-color="green" d="M46 44V20h14a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2z" />
      <path class="brand-dark" d="M20 20h24v24H20z" />
      <path class="brand-light" d="M20 20h12v12H20zM32 32h12v12H32z" />
    </svg>
  );
}
