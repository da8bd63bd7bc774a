import type { JSX } from 'preact';
import { encode } from 'uqr';

/** Width of the light border that scanners need, in modules. */
const BORDER = 3;

/** A text as a QR code, dark on light in every theme. */
export default function QrCode({ content, label }: { content: string; label: string }): JSX.Element {
  const { data, size } = encode(content, { ecc: 'M', border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" data-testid="qr-code">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
