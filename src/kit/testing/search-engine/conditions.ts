import { inByteOrder } from '../../../core/lib/bytes.ts';
import type {
  EngineCondition,
  EngineDocument,
  EngineDocumentValue,
  EngineEnd,
  EngineField,
  EngineSpans,
  EngineTest,
  EngineTexts,
  EngineValue,
} from '../../../spi/index.ts';
import { hasPhrase, valuesOf } from './phrases.ts';
import { wildcardTest } from './wildcards.ts';

/** Order of values of one field: texts as bytes of UTF-8. */
export function compareValues(one: EngineValue, other: EngineValue): number {
  if (typeof one === 'string' || typeof other === 'string') return inByteOrder(String(one), String(other));
  return Number(one > other) - Number(one < other);
}

/** Values of the field in a document. */
export const valuesIn = (
  { values }: EngineDocument,
  { key, type }: EngineField,
  spans: EngineSpans = 'all',
): readonly EngineDocumentValue[] =>
  values.filter(
    ({ field, spans: of }) =>
      field.key === key && field.type === type && (spans === 'all' || of === 'both' || of === spans),
  );

/** Whether the document meets the condition. */
export function meets(document: EngineDocument, condition: EngineCondition): boolean {
  switch (condition.is) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return condition.of.every((each) => meets(document, each));
    case 'or':
      return condition.of.some((each) => meets(document, each));
    case 'not':
      return !meets(document, condition.of);
    case 'phrase': {
      const { in: part, spans } = condition;
      return textsIn(document, spans).some((texts) =>
        valuesOf(texts[part]).some((words) => hasPhrase(words, condition)),
      );
    }
    case 'key':
      return textsIn(document, condition.spans).some(({ keys }) => keys.split(' ').includes(condition.key));
    case 'value': {
      const passes = testOf(condition.test);
      return valuesIn(document, condition.field, condition.spans).some(({ value }) => passes(value));
    }
    case 'number': {
      const number = document[condition.of];
      return number !== null && condition.among.includes(number);
    }
    case 'name': {
      const names = condition.of === 'entityId' ? [document.entityId] : document[condition.of];
      return names.some((name) => condition.among.includes(name));
    }
    case 'kind':
      return document.kind === condition.kind;
    case 'timed':
      return document.timed;
  }
}

function textsIn({ untimed, inTime }: EngineDocument, spans: EngineSpans): readonly EngineTexts[] {
  return spans === 'all' ? [untimed, inTime] : [spans === 'untimed' ? untimed : inTime];
}

function testOf(test: EngineTest): (value: EngineValue) => boolean {
  switch (test.is) {
    case 'some':
      return () => true;
    case 'among':
      return (value) => test.values.some((each) => compareValues(value, each) === 0);
    case 'like': {
      const fits = wildcardTest(test.pattern);
      return (value) => typeof value === 'string' && fits(value);
    }
    case 'between':
      return (value) => isBetween(value, test);
  }
}

/** Whether the value is within the ends. */
export const isBetween = (
  value: EngineValue,
  { from, to }: { readonly from?: EngineEnd; readonly to?: EngineEnd },
): boolean =>
  (from === undefined || compareValues(value, from.value) >= Number(from.open)) &&
  (to === undefined || compareValues(to.value, value) >= Number(to.open));

/** Number of phrases that the document meets, apart from those below a NOT. */
export function phrasesMet(document: EngineDocument, condition: EngineCondition): number {
  if (condition.is === 'phrase') return Number(meets(document, condition));
  if (condition.is !== 'and' && condition.is !== 'or') return 0;
  return condition.of.reduce((sum, each) => sum + phrasesMet(document, each), 0);
}
