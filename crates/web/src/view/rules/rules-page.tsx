import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { RoleLetter } from '../../store/pieces.ts';
import { text } from '../../text/index.ts';
import { PieceIcon } from '../board/piece-icon.tsx';
import type { PageOf } from '../router.ts';
import { useTitle } from '../title.ts';
import type { ChapterName } from '../../text/rules-names.ts';
import { CHAPTERS } from './chapters.ts';
import { LessonView } from './lesson-view.tsx';
import { lessons } from './positions.ts';

/** The values of the pieces on the cross-shaped board, in pawns. They are a rule of thumb. */
const VALUES: readonly (readonly [RoleLetter, number])[] = [
  ['Q', 9],
  ['R', 5],
  ['B', 4],
  ['N', 3],
  ['P', 1],
];

/** The rules for newcomers, in chapters with boards to step through. */
export function RulesPage({ page }: { page: PageOf<'rules'> }): JSX.Element {
  const { chapter } = page;
  const words = text.rules;
  useTitle(words.title);
  useLayoutEffect(() => {
    if (chapter !== null) document.getElementById(chapter)?.scrollIntoView({ block: 'start' });
  }, [page, chapter]);
  return (
    <main id="content" class="page rules-page">
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="tagline">{words.tagline}</p>
      </div>
      <Contents currentChapter={chapter} />
      <Chapters currentChapter={chapter} />
    </main>
  );
}

/**
 * The same chapters in a sheet over a page. A link in the sheet leads to another place in the
 * sheet, or opens a new tab.
 */
export function RulesSheet(): JSX.Element {
  return (
    <div class="rules-page rules-sheet" data-testid="rules-sheet" onClick={stayInSheet}>
      <Contents currentChapter={null} />
      <Chapters currentChapter={null} />
    </div>
  );
}

/** Prevents a press on a link from replacing the page below the sheet. */
function stayInSheet(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  event.stopPropagation();
  const chapter = CHAPTERS.find(({ name }) => link.pathname === `/rules/${name}`);
  if (chapter === undefined) open(link.href, '_blank', 'noopener');
  else document.getElementById(chapter.name)?.scrollIntoView({ block: 'start' });
}

/** The list of the chapters. */
function Contents({ currentChapter }: { currentChapter: string | null }): JSX.Element {
  const words = text.rules;
  return (
    <nav class="contents" aria-label={words.contents}>
      <ol>
        {CHAPTERS.map(({ name }) => (
          <li key={name}>
            <a href={`/rules/${name}`} aria-current={name === currentChapter ? 'location' : undefined}>
              {words.chapters[name].title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The chapters with their lessons. */
function Chapters({ currentChapter }: { currentChapter: string | null }): JSX.Element {
  const words = text.rules;
  return (
    <div class="chapters">
      {CHAPTERS.map((one) => (
        <section key={one.name} id={one.name} class="chapter" aria-labelledby={`head-${one.name}`}>
          <h2 id={`head-${one.name}`} data-arrival={one.name === currentChapter ? '' : undefined}>{words.chapters[one.name].title}</h2>
          <div class="prose">
            {words.chapters[one.name].text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {one.name === 'hints' && <Values />}
            <Hints chapter={one.name} />
          </div>
          {one.lessons.length > 0 && (
            <div class="lessons">
              {lessons
                .filter(({ name }) => one.lessons.includes(name))
                .map((lesson) => (
                  <LessonView key={lesson.name} lesson={lesson} />
                ))}
            </div>
          )}
        </section>
      ))}
    </div>
  );
}

function Hints({ chapter }: { chapter: ChapterName }): JSX.Element | null {
  const { list } = text.rules.chapters[chapter];
  if (list === undefined) return null;
  return (
    <ul class="hints">
      {list.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}

/** A table of the pieces' values. */
function Values(): JSX.Element {
  const shape = (role: RoleLetter): JSX.Element => <PieceIcon color="red" role={role} />;
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">{text.rules.pieceHeading}</th>
          <th scope="col">{text.rules.worthHeading}</th>
        </tr>
      </thead>
      <tbody>
        {VALUES.map(([role, value]) => (
          <tr key={role}>
            <th scope="row">
              <span class="value-name">
                <span class="value-piece">{shape(role)}</span>
                {text.roles[role]}
              </span>
            </th>
            <td>{text.number(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
