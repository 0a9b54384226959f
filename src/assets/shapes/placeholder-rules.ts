import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Statement } from '../../core/store/contract.ts';
import { badParameter } from '../../http/parameters/index.ts';
import { type ExpectedCounts, type ExpectedKind, expectedKinds, numbered } from './component-kinds.ts';
import { tracksOf } from './components/rules.ts';
import { componentStatements, expectedComponents, type NewComponent, type ShapeParts } from './create.ts';
import type { Shape } from './load.ts';
import { changeShape } from './rules.ts';
import { type ComponentRow, removeComponent } from './store.ts';

/** Refuses placeholders without expected components. */
export function requireSome(counts: ExpectedCounts): void {
  checkContainer(counts);
  if (expectedKinds.some((kind) => (counts[kind] ?? 0) > 0)) return;
  throw badParameter('container', `Expected a number above 0 for one of ${expectedKinds.join(', ')}`);
}

function checkContainer({ container = 0 }: ExpectedCounts): void {
  if (container > 1) throw badParameter('container', 'Expected at most one container', String(container));
}

/** Parses the counts in a document, ignoring other keys. */
export function countsFrom(pairs: readonly (readonly [key: string, value: string, ...unknown[]])[]): ExpectedCounts {
  const named = pairs.filter(([key]) => expectedKinds.some((kind) => kind === key));
  return Object.fromEntries(
    named.map(([key, value]) => {
      if (/^\d{1,4}$/.test(value)) return [key, Number(value)];
      throw badValue('/SimpleMetadataDocument/field/value', `a whole number for ${key}`, value);
    }),
  );
}

/** Changes to reach the expected number of components per kind. Components with a file stay. */
interface Expectation {
  readonly removed: readonly ComponentRow[];
  readonly added: readonly { readonly component: NewComponent; readonly position: number }[];
  readonly isPlaceholder: boolean;
}

export function expect(components: readonly ComponentRow[], counts: ExpectedCounts): Expectation {
  checkContainer(counts);
  const removed: ComponentRow[] = [];
  const added: { component: NewComponent; position: number }[] = [];
  for (const kind of expectedKinds) {
    const wanted = counts[kind];
    if (wanted === undefined) continue;
    const ofKind = components.filter((each) => each.kind === kind);
    const open = ofKind.filter(({ expected }) => expected === 1);
    const filled = ofKind.length - open.length;
    if (wanted < filled) throw badParameter(kind, `Expected at least the ${filled} that have a file`, String(wanted));
    removed.push(...open.slice(Math.max(wanted - filled, 0)));
    const next = (ofKind.at(-1)?.position ?? -1) + 1;
    const more = expectedComponents({ [kind]: Math.max(wanted - ofKind.length, 0) });
    added.push(...more.map((component, at) => ({ component, position: next + at })));
  }
  const taken = tracksOf(components.filter((each) => !removed.includes(each)));
  for (const each of added) {
    const { component } = each;
    each.component = { ...component, properties: numbered(component.kind, component.properties, taken) };
  }
  const open = components.filter(({ expected }) => expected === 1).length - removed.length + added.length;
  return { removed, added, isPlaceholder: open > 0 };
}

/** Applies new counts. `ids`: for the new components. */
export function changeExpected(
  shape: Shape,
  { removed, added, isPlaceholder }: Expectation,
  ids: readonly string[],
  settings: ShapeParts['settings'],
): readonly Statement[] {
  const { id: shapeId, itemId } = shape;
  return [
    ...changeShape(shape, { placeholder: isPlaceholder ? 1 : 0 }),
    ...removed.flatMap(({ id }) => removeComponent.map((statement) => statement({ id }))),
    ...added.flatMap(({ component, position }, at) =>
      componentStatements(component, { id: ids[at]!, shapeId, itemId, position }, settings),
    ),
  ];
}

export const noPlaceholder = (id: string): ServiceError =>
  new ServiceError('bad-value', { context: 'shape', id, explanation: 'Expected a placeholder shape', value: id });

/** Refusal that tells clients that a placeholder expects no more components of a kind. */
export const kindFull = (kind: ExpectedKind | 'descriptor'): ServiceError =>
  new ServiceError('bad-value', {
    context: 'job',
    explanation: `Expected a kind of component that the placeholder still waits for: it has every ${kind}`,
    value: `${kind.toUpperCase()}_COMPONENT`,
  });
