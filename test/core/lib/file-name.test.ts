import { expect, it } from 'vitest';
import { fileNameFrom } from '../../../src/core/lib/file-name.ts';
import { disposition } from '../../../src/storage/bytes/download.ts';

it.each([
  ['Trailer', ' (WebM).webm', 'Trailer (WebM).webm'],
  ['AC/DC: "Live" \\ one*?', '.mp4', 'AC-DC- -Live- - one--.mp4'],
  ['a\r\nb\u0000c', '.mov', 'a--b-c.mov'],
  ['../../etc/passwd', '.txt', '-..-etc-passwd.txt'],
  ['. . ', '.mp4', 'untitled.mp4'],
  ['', '', 'untitled'],
  ['film \u202egpj', '.exe', 'film gpj.exe'],
  ['שלום 🎬 ünïcödé', '.mp4', 'שלום 🎬 ünïcödé.mp4'],
  ['broken \ud83c', '.mp4', 'broken \ufffd.mp4'],
  ['v1.2', '', 'v1.2'],
  ['x', `.${'y'.repeat(300)}/z`, `x.${'y'.repeat(119)}`],
])('the file of %j with %j is %j', (text, end, name) => {
  expect(fileNameFrom(text, end)).toBe(name);
});

it('a long name keeps its ending, is no longer than file systems take, and breaks no character', () => {
  const name = fileNameFrom('🎬'.repeat(400), ' (MP4 for the web).mp4');
  expect(name).toMatch(/^(?:🎬)+ \(MP4 for the web\)\.mp4$/u);
  expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200);
});

it.each(['inline', 'attachment'] as const)('a name cannot end the header that says %s', (kind) => {
  const header = disposition('a"; x="\r\nSet-Cookie: b🎬.mov', kind);
  expect(header).toMatch(/^[\x20-\x7e]*$/);
  expect(header.split('"')).toHaveLength(3);
  expect(decodeURIComponent(header.split("UTF-8''")[1]!)).toBe('a"; x="\r\nSet-Cookie: b🎬.mov');
});
