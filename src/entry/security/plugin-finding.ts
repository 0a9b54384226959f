import type { Finding } from '../../config/finding.ts';

/** Why one plugin cannot be used. Its place is where to mend it, as far as a runtime tells. */
export class Defect extends Error {
  readonly code: string;
  readonly place: DefectPlace;

  constructor(code: string, message: string, place: DefectPlace = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

export interface DefectPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Only what harms the process itself is an error by itself. */
  readonly severity?: Finding['severity'];
}

/**
 * A warning: a plugin that nothing refers to does no harm by its absence. One that security.ini refers to is missed
 * there, which is the error.
 */
export const pluginFinding = (file: string, { code, message, place }: Defect): Finding => ({
  severity: place.severity ?? 'warning',
  file: place.file ?? file,
  line: place.line ?? 1,
  column: place.column ?? 1,
  code,
  message,
});

/** Whatever was thrown, as one short line. Somebody else's code threw it, so nothing is taken for granted. */
export function sentenceOf(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : '';
    return shortLine(String(text)) || 'it threw without saying why';
  } catch {
    return 'it threw without saying why';
  }
}

const colours = /\x1b\[[0-9;]*m/g;

export function shortLine(text: string): string {
  const line = text
    .replace(colours, '')
    .trim()
    .split(/[\r\n]/, 1)[0]!;
  return line
    .replace(/[\0-\x1f\x7f\u0085\u2028\u2029]/g, ' ')
    .slice(0, 300)
    .replace(/\.$/, '');
}
