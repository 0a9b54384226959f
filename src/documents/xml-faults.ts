import type { SaxesParser } from 'saxes';
import { DocumentError } from './error.ts';
import { type DocumentLimits, tooMuch } from './limits.ts';

/** What is wrong with XML whose form no description says, told by the place where the parser is. */
export function faultsAt(parser: Pick<SaxesParser, 'line' | 'column'>, limits: DocumentLimits) {
  const refuse = (kind: 'limit' | 'syntax', explanation: string): never => {
    throw new DocumentError({ kind, place: '/', explanation, line: parser.line, column: Math.max(1, parser.column) });
  };
  return {
    refuseLimit: (what: keyof DocumentLimits): never => refuse('limit', tooMuch(what, limits).explanation),
    refuseDoctype: (): never => refuse('syntax', 'Expected no document type declaration: found "<!DOCTYPE"'),

    /** The parser throws plain errors that begin with the position. A walker may throw its own. */
    parse(work: () => void): void {
      try {
        work();
      } catch (error) {
        const found = error instanceof Error && error.constructor === Error && /^\d+:\d+: /.exec(error.message);
        if (!found) throw error;
        refuse('syntax', `Expected well-formed XML: ${(error as Error).message.slice(found[0].length, 200)}`);
      }
    },
  };
}
