import type { Reader } from '../../../core/store/statement.ts';
import type { EngineCondition, EngineField, EngineSpans, EngineTest, EngineToken } from '../../../spi/index.ts';
import { type ClosedIn, idsAmong, type RequiredLevel, type Viewer } from '../../access/public-reading.ts';
import { exactKey, existsKey, fieldKey, referenceKey } from '../index/keys.ts';
import { canonical } from '../index/values.ts';
import { all, and, type Fact, type Node, none, not, or, type SearchKind, type Test } from '../query/ast.ts';
import { opposite, type Spans, tokensIn } from '../query/match.ts';
import type { Names } from '../query/names.ts';
import { treesOf } from '../query/store.ts';
import type { SearchToken } from '../query/terms.ts';
import { engineField, factField } from './documents.ts';

/** Maximum number of collections below another one in a query. */
const maxCollections = 10_000;

/** Reason why an engine is not asked. The message is a sentence for `explain`. */
export class NotForEngine extends Error {}

/** Reason why the engine cannot be asked now. */
export class EngineFailure extends Error {}

export const allOf = (of: readonly EngineCondition[]): EngineCondition => joined('and', of);
export const anyOf = (of: readonly EngineCondition[]): EngineCondition => joined('or', of);

function joined(is: 'and' | 'or', of: readonly EngineCondition[]): EngineCondition {
  const [neutral, deciding] = is === 'and' ? (['all', 'none'] as const) : (['none', 'all'] as const);
  if (of.some((each) => each.is === deciding)) return { is: deciding };
  const parts = of.filter((each) => each.is !== neutral);
  return parts.length === 0 ? { is: neutral } : parts.length === 1 ? parts[0]! : { is, of: parts };
}

export const notOf = (of: EngineCondition): EngineCondition =>
  of.is === 'all' ? { is: 'none' } : of.is === 'none' ? { is: 'all' } : { is: 'not', of };

const spansOf = (spans: Spans): EngineSpans => (spans === 'timed' ? 'timed' : spans === 'both' ? 'all' : 'untimed');

/** Entities of a context, or single items of libraries, as JSON arrays. */
interface Placed {
  readonly contexts: string;
  readonly alone: { readonly all: string; readonly among: string } | undefined;
}

function placedIn({ contexts, alone }: Placed): EngineCondition {
  const ids = (text: string): EngineCondition => ({ is: 'name', of: 'entityId', among: JSON.parse(text) as string[] });
  const inContexts: EngineCondition = { is: 'number', of: 'context', among: JSON.parse(contexts) as number[] };
  if (!alone) return inContexts;
  const item: EngineCondition = { is: 'kind', kind: 'item' };
  return anyOf([allOf([item, ids(alone.among)]), allOf([inContexts, notOf(allOf([item, ids(alone.all)]))])]);
}

/** Condition: the viewer has the level. */
export function readableBy({ administrator, contexts }: Viewer, level: RequiredLevel = 'READ'): EngineCondition {
  if (administrator) return { is: 'all' };
  const alone = contexts?.alone(level);
  return placedIn({
    contexts: contexts?.having(level) ?? '[]',
    alone: alone && { all: alone.all, among: alone.having },
  });
}

/** Condition: the part is closed in the entity. */
export const closedIn = ({ contexts, alone }: ClosedIn): EngineCondition =>
  placedIn({ contexts, alone: alone && { all: alone.all, among: alone.closed } });

export const kindIs = (kind: SearchKind): EngineCondition =>
  kind === 'both' ? { is: 'all' } : { is: 'kind', kind: kind === 'collection' ? 'collection' : 'item' };

/** Conditions for criteria that are decided outside of the engine. */
export type Decided = ReadonlyMap<Node, EngineCondition>;

export const numbersAre = (among: Iterable<number>): EngineCondition => ({ is: 'number', of: 'id', among: [...among] });

interface CompileInput {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly kind: SearchKind;
  readonly names: Names;
  /** Entities that meet criteria in one group, words near each other and criteria on other tables, by node. */
  readonly decided: Decided;
}

/** Criteria of a search for an engine, guarded before. Throws `NotForEngine`. */
export async function engineCondition(node: Node, spans: Spans, input: CompileInput): Promise<EngineCondition> {
  const { decided } = input;
  const facts = new Map<Node, EngineCondition>();
  for (const each of factsOf(node, decided)) facts.set(each, await factIs(each.fact, each.test, input));
  return compiled(node, spans, { facts, decided });
}

/** Criteria on facts of the entity itself that are not decided yet. */
function* factsOf(node: Node, decided: CompileInput['decided']): Generator<Extract<Node, { is: 'fact' }>> {
  if (decided.has(node)) return;
  if (node.is === 'fact') yield node;
  else if (node.is === 'and' || node.is === 'or') for (const each of node.of) yield* factsOf(each, decided);
  else if (node.is === 'not' || node.is === 'group') yield* factsOf(node.of, decided);
}

/** Criteria on other tables than those of metadata: all outermost ones that documents of an engine do not have. */
export function outerFacts(node: Node, kind: SearchKind): readonly Node[] {
  if (node.is === 'and' || node.is === 'or') return node.of.flatMap((each) => outerFacts(each, kind));
  if (node.is === 'not') return outerFacts(node.of, kind);
  return node.is === 'linked' || (node.is === 'fact' && !isInDocuments(node.fact, node.test, kind)) ? [node] : [];
}

/** Criteria that find at least as much, without some of their parts. */
export function without(node: Node, parts: readonly Node[], finds = true): Node {
  if (parts.includes(node)) return finds ? all : none;
  if (node.is === 'not') return not(without(node.of, parts, !finds));
  if (node.is !== 'and' && node.is !== 'or') return node;
  const of = node.of.map((each) => without(each, parts, finds));
  return node.is === 'and' ? and(of) : or(of);
}

interface Compiling extends Pick<CompileInput, 'decided'> {
  readonly facts: ReadonlyMap<Node, EngineCondition>;
}

function compiled(node: Node, spans: Spans, compiling: Compiling): EngineCondition {
  switch (node.is) {
    case 'all':
    case 'none':
      return node;
    case 'and':
    case 'or':
      return joined(
        node.is,
        node.of.map((each) => compiled(each, spans, compiling)),
      );
    case 'not':
      return notOf(compiled(node.of, opposite(spans), compiling));
    case 'words':
      return wordsAre(node, spans);
    case 'near':
      return spans === 'generic' ? decidedBy(node, compiling) : nearIs(node, spans);
    case 'reference':
      return keyIs(referenceKey(node.uuid), spans);
    case 'value': {
      const { field, test } = node;
      const key = fieldKey(field.name);
      if (test.is === 'some') return keyIs(existsKey(key), spans);
      if (test.is === 'equals') return keyIs(exactKey(key, canonical(test.value)), spans);
      if (spans === 'nothing') return { is: 'none' };
      return { is: 'value', field: engineField(field), spans: spansOf(spans), test: testOf(test) };
    }
    case 'group':
      if (spans === 'sure' || spans === 'nothing') return { is: 'none' };
      return spans === 'generic' ? decidedBy(node, compiling) : compiled(node.of, spans, compiling);
    case 'closed':
      return closedIn(node.places);
    case 'fact':
      return compiling.facts.get(node) ?? decidedBy(node, compiling);
    case 'joinedWords':
      return { is: 'none' };
    case 'linked':
      if (compiling.decided.has(node)) return decidedBy(node, compiling);
      throw new NotForEngine(`Expected no criteria on the ${node.to}`);
  }
}

const keyIs = (key: string, spans: Spans): EngineCondition =>
  spans === 'nothing' ? { is: 'none' } : { is: 'key', key, spans: spansOf(spans) };

const decidedBy = (node: Node, { decided }: Compiling): EngineCondition => decided.get(node) ?? numbersAre([]);

function wordsAre({ field, units }: Extract<Node, { is: 'words' }>, spans: Spans): EngineCondition {
  if (spans === 'nothing') return { is: 'none' };
  const tokens = tokensIn(units);
  if (tokens.length === 0) return field ? keyIs(existsKey(fieldKey(field.name)), spans) : { is: 'all' };
  return {
    is: 'phrase',
    in: field ? 'fieldWords' : 'words',
    spans: spansOf(spans),
    tokens: tokens.map(tokenWith(field ? fieldKey(field.name) : '')),
  };
}

/** Approximation with false hits: it selects the metadata to read. */
function nearIs({ field, tokens, distance }: Extract<Node, { is: 'near' }>, spans: Spans): EngineCondition {
  if (spans === 'sure' || spans === 'nothing') return { is: 'none' };
  return {
    is: 'phrase',
    in: field ? 'fieldWords' : 'words',
    spans: spansOf(spans),
    tokens: tokens.map(tokenWith(field ? fieldKey(field.name) : '')),
    slop: distance + tokens.length,
  };
}

/** Near words have the same first letter, as in the embedded index. */
const tokenWith =
  (prefix: string) =>
  ({ text, kind, distance }: SearchToken): EngineToken => ({
    text: prefix + text,
    kind,
    ...(distance !== undefined && { distance, fixed: prefix.length + 1 }),
  });

function testOf(test: Test): EngineTest {
  switch (test.is) {
    case 'equals':
      return { is: 'among', values: [test.value] };
    case 'like':
      if (test.ignoresCase) throw new NotForEngine('Expected patterns that do not ignore case');
      return { is: 'like', pattern: test.pattern };
    default:
      return test;
  }
}

/** Field of documents by which an engine tests a fact. */
const testedField = (fact: Fact, test: Test, kind: SearchKind): EngineField | undefined =>
  kind === 'both' || test.is === 'like' ? undefined : factField(fact);

/** Whether documents have the fact, so that an engine may test it. */
const isInDocuments = (fact: Fact, test: Test, kind: SearchKind): boolean =>
  testedField(fact, test, kind) !== undefined || isMembership(fact, test, kind);

function isMembership({ name, of }: Fact, test: Test, kind: SearchKind): test is ValueTest {
  if (kind === 'both' || (test.is !== 'equals' && test.is !== 'among')) return false;
  return name === '__ancestor_collection' || name === (of === 'item' ? '__collection' : '__parent_collection');
}

type ValueTest = Extract<Test, { is: 'equals' | 'among' }>;

/** Facts that documents of an engine have. Collections of an entity: as far as the caller may read them. */
async function factIs(fact: Fact, test: Test, { reader, viewer, kind }: CompileInput): Promise<EngineCondition> {
  const { name } = fact;
  const field = testedField(fact, test, kind);
  if (field) return { is: 'value', field, spans: 'untimed', test: testOf(test) };
  if (!isMembership(fact, test, kind)) throw new NotForEngine(`Expected no criteria on ${name}`);
  const isAbove = name === '__ancestor_collection';
  const wanted = (test.is === 'equals' ? [test.value] : test.values).map(String);
  const ids = [...(await idsAmong(reader, viewer, 'collection', wanted, 'READ'))];
  return { is: 'name', of: 'collections', among: isAbove ? await below(reader, ids) : ids };
}

async function below(reader: Reader, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await treesOf(reader, { ids, max: maxCollections + 1 });
  if (rows.length > maxCollections) throw new NotForEngine(`Expected at most ${maxCollections} collections below`);
  return rows.map(({ id }) => id);
}
