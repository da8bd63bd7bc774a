import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Analysis } from '../../store/analysis/analysis.ts';
import type { AnalysisRoot } from '../../store/analysis/analysis-root.ts';
import { lineEnd, type NodeId } from '../../store/analysis/line-tree.ts';
import { linkToAnalysis } from '../../store/analysis/analysis-start.ts';
import { notationsOf } from '../../store/variants.ts';
import { text } from '../../text/index.ts';
import { CopyLabel, copyText, CopyLink } from '../table/copy-link.tsx';

interface ExportPanelProps {
  readonly analysis: Analysis;
  readonly root: AnalysisRoot;
}

/** The exports of an analysis: the position, a link, and the line in notation. */
export function ExportPanel({ analysis, root }: ExportPanelProps): JSX.Element {
  const { game: format, position } = notationsOf(root.variant);
  const link = linkToAnalysis(analysis);
  const end = lineEnd(analysis.tree.value, analysis.currentNode.value);
  const [shownLine, setShownLine] = useState<{ readonly end: NodeId; readonly notation: string } | null>(null);
  const show = async (): Promise<void> => {
    const notation = await analysis.notation();
    setShownLine(notation === null ? null : { end, notation });
  };
  return (
    <section class="card" aria-label={text.analysis.exportTitle}>
      <h2>{text.analysis.exportTitle}</h2>
      <div class="export-item">
        <span>{text.analysis.position(position)}</span>
        <CopyLink link={analysis.currentFacts.value?.fen ?? ''} label={position} testId="fen" buttonLabel={text.analysis.copy} />
      </div>
      <div class="export-item">
        <span>{text.analysis.link}</span>
        <CopyLink link={link === null ? '' : location.origin + link} label={text.analysis.link} testId="share" buttonLabel={text.analysis.copy} />
      </div>
      {shownLine === null || shownLine.end !== end ? (
        <button type="button" class="button" data-testid="show-line" onClick={() => void show()}>
          {text.analysis.showLine(format)}
        </button>
      ) : (
        <Notation key={end} format={format} notation={shownLine.notation} />
      )}
    </section>
  );
}

/** The line in PGN or PGN4, for other programs. */
function Notation({ format, notation }: { format: string; notation: string }): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await copyText(notation, area.current));
  };
  return (
    <div class="notation">
      <textarea ref={area} class="input" rows={6} readOnly aria-label={format} data-testid="notation" value={notation} />
      <button type="button" class="button" data-testid="copy-line" onClick={() => void copy()}>
        <CopyLabel label={text.analysis.copyLine(format)} isCopied={copied} />
      </button>
    </div>
  );
}
