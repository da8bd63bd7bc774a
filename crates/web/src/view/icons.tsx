import type { JSX } from 'preact';

/** The logo of Quadrex: four arms around a board. */
export function Brand(): JSX.Element {
  return (
    <svg class="brand-icon" viewBox="0 0 64 64" aria-hidden="true">
      <path class="arm" data-color="red" d="M20 46h24v14a2 2 0 0 1-2 2H22a2 2 0 0 1-2-2z" />
      <path class="arm" data-color="blue" d="M18 20v24H4a2 2 0 0 1-2-2V22a2 2 0 0 1 2-2z" />
      <path class="arm" data-color="yellow" d="M44 18H20V4a2 2 0 0 1 2-2h20a2 2 0 0 1 2 2z" />
      <path class="arm" data-color="green" d="M46 44V20h14a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2z" />
      <path class="brand-dark" d="M20 20h24v24H20z" />
      <path class="brand-light" d="M20 20h12v12H20zM32 32h12v12H32z" />
    </svg>
  );
}

/** The icon of the settings. */
export function Gear(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="3.2" />
      <path d="M12 2.8v2.6M12 18.6v2.6M2.8 12h2.6M18.6 12h2.6M5.5 5.5l1.8 1.8M16.7 16.7l1.8 1.8M5.5 18.5l1.8-1.8M16.7 7.3l1.8-1.8" />
      <circle cx="12" cy="12" r="6.6" />
    </svg>
  );
}

/** The icon of the menu. */
export function Bars(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 7h16M4 12h16M4 17h16" />
    </svg>
  );
}

/** The icons of the bar below a board. */
const BOARD_ICONS = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  back: 'M16 5l-9 7 9 7z',
  play: 'M7 4.5l12 7.5-12 7.5z',
  stop: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  forward: 'M8 5l9 7-9 7z',
  live: 'M18 5v14M5 5l9 7-9 7z',
  turn: 'M19 12a7 7 0 1 1-2.3-5.2M19 3.5v4.3h-4.3',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
  zen: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  zenLeave: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  silent: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
} as const;

/** An icon of the bar below a board. */
export function BoardIcon({ name }: { name: keyof typeof BOARD_ICONS }): JSX.Element {
  return (
    <svg class="icon variant-icon" data-sign={name} viewBox="0 0 24 24" aria-hidden="true">
      <path d={BOARD_ICONS[name]} />
    </svg>
  );
}

/** An eye, which shows a password. It is struck through while the password is hidden. */
export function Eye({ isOpen }: { isOpen: boolean }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
      {!isOpen && <path d="M4 20 20 4" />}
    </svg>
  );
}
