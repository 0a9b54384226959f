import type { Finding } from './finding.ts';
import { formatFindings } from './ini/format-findings.ts';

/** A security.ini that cannot be used: it stops the start, with all that is wrong with it. */
export class SecurityError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(formatFindings(findings, 'text'));
    this.name = 'SecurityError';
    this.findings = findings;
  }
}
