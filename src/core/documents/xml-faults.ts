import type { SaxesParser } from 'saxes';
import { DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

/** Errors of XML without a description, with the position of the parser. */
export function faultsAt(parser: Pick<SaxesParser, 'line' | 'column'>, limits: DocumentLimits) {
  const refuse = (kind: 'limit' | 'syntax', explanation: string): never => {
    throw new DocumentError({ kind, place: '/', explanation, line: parser.line, column: Math.max(1, parser.column) });
  };
  return {
    refuseLimit: (what: keyof DocumentLimits): never => refuse('limit', tooMuch(what, limits).explanation),
    refuseDoctype: (): never => refuse('syntax', 'Expected no document type declaration: found "<!DOCTYPE"'),

    /** Converts plain errors of the parser, which begin with the position. Errors of a walker stay unchanged. */
    parse(work: () => void): void {
      try {
        work();
      } catch (error) {
        const position = error instanceof Error && error.constructor === Error && /^\d+:\d+: /.exec(error.message);
        if (!position) throw error;
        refuse('syntax', `Expected well-formed XML: ${(error as Error).message.slice(position[0].length, 200)}`);
      }
    },
  };
}
