import { qrOf } from './qr.ts';
import './factor.css';

/** An address or a key that another device reads. Dark on light in every look: not all apps read the other way round. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const cells = qrOf(text);
  if (!cells) return null;
  const path = cells
    .flatMap((row, down) => row.map((dark, along) => (dark ? `M${along + 4} ${down + 4}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="factor-picture" viewBox={`0 0 ${cells.length + 8} ${cells.length + 8}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
