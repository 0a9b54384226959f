import type { FieldMapping, Stored } from './index.ts';
import { illegal, type Json, malformed, onlyEntry, onlyThese } from './refusals.ts';
import { wordTest } from './word-tests.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

type Spans = (document: Stored) => readonly Span[];

/** Places of a span query in a document. */
export function spansOf(query: Json, fields: ReadonlyMap<string, FieldMapping>): Spans {
  const [kind, body] = onlyEntry(query, 'span');
  switch (kind) {
    case 'span_term': {
      const [field, word] = onlyEntry(body, kind);
      return wordSpans(field, fields, (token) => token === (word.value ?? word));
    }
    case 'span_multi': {
      onlyThese(body, kind, ['match']);
      const { field, test } = wordTest(body.match);
      return wordSpans(field, fields, test);
    }
    case 'span_near': {
      onlyThese(body, kind, ['clauses', 'slop', 'in_order']);
      const { clauses, slop, in_order: inOrder } = body;
      if (!Array.isArray(clauses) || clauses.length === 0) throw malformed('[span_near] must include [clauses]');
      const parts = clauses.map((clause) => spansOf(clause, fields));
      return (document) =>
        near(
          parts.map((part) => part(document)),
          slop ?? 0,
          inOrder !== false,
        );
    }
    default:
      throw malformed(`[span_near] query does not support [${kind}]`);
  }
}

function wordSpans(field: string, fields: ReadonlyMap<string, FieldMapping>, test: (word: string) => boolean): Spans {
  const mapping = fields.get(field);
  if (mapping && mapping.type !== 'text') throw illegal(`field "${field}" was indexed without position data`);
  return ({ tokens }) =>
    [...(tokens.get(field) ?? [])].flatMap(([start, word]) => (test(word) ? [{ start, end: start + 1 }] : []));
}

/** Spans of all parts within the slop. Unordered ones may take one place for two parts, as in the engine. */
function near(parts: readonly (readonly Span[])[], slop: number, inOrder: boolean): readonly Span[] {
  let found: readonly (Span & { readonly length: number })[] = [{ start: -1, end: -1, length: 0 }];
  for (const spans of parts) {
    found = found.flatMap((before) =>
      spans.flatMap((span) => {
        if (inOrder && span.start < before.end) return [];
        const start = before.start < 0 ? span.start : Math.min(before.start, span.start);
        const end = Math.max(before.end, span.end);
        const length = before.length + span.end - span.start;
        return end - start - length > slop + parts.length ? [] : [{ start, end, length }];
      }),
    );
  }
  return found.filter(({ start, end, length }) => end - start - length <= slop);
}
