import type { JSX } from 'preact';
import { text } from '../text/index.ts';
import { PieceShapes } from './board/piece-art.tsx';
import { Header } from './header.tsx';
import { Lobby } from './lobby/lobby.tsx';
import { Notices } from './notices.tsx';
import { page } from './router.ts';
import { TablePage } from './table/table-page.tsx';

/** The whole client. */
export function App(): JSX.Element {
  const shown = page.value;
  return (
    <>
      <PieceShapes />
      <Header />
      {shown.kind === 'lobby' && <Lobby />}
      {shown.kind === 'table' && <TablePage key={shown.table} table={shown.table} />}
      {shown.kind === 'unknown' && <NotHere />}
      <Notices />
    </>
  );
}

function NotHere(): JSX.Element {
  return (
    <main class="blank">
      <h1>{text.table.missing}</h1>
      <p>{text.table.missingHint}</p>
      <a class="button primary" href="/">
        {text.toLobby}
      </a>
    </main>
  );
}
