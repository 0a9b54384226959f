import type { Finding } from '../../security/ini/findings.ts';

/** Why one plugin cannot be used. Its place is where to mend it, as far as a runtime tells. */
export class Defect extends Error {
  readonly code: string;
  readonly position: DefectPosition;

  constructor(code: string, message: string, position: DefectPosition = {}) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

export interface DefectPosition {
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
export const pluginFinding = (file: string, { code, message, position }: Defect): Finding => ({
  severity: position.severity ?? 'warning',
  file: position.file ?? file,
  line: position.line ?? 1,
  column: position.column ?? 1,
  code,
  message,
});
