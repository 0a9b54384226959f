import { badValue } from '../../../core/documents/error.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import { removeAllKeys } from '../../../room/entities/key-values/store.ts';
import { type ComponentKind, type ExpectedKind, numbered } from '../component-kinds.ts';
import { kindFull } from '../placeholder-rules.ts';
import { componentNamed, type ShapeWithParts } from '../places.ts';
import { changeShape, sameShape, shapeEvent } from '../rules.ts';
import {
  type ComponentRow,
  copyShapeKeys,
  insertComponent,
  moveUses,
  removeComponent,
  useFile,
  writeComponent,
} from '../store.ts';
import { expectsWithout, ofKind, oneContainer, tracksOf } from './rules.ts';

/** Target position: that of another component, by id or by index within its kind. Undefined: the end. */
interface Target {
  readonly component: string | undefined;
  readonly index: number | undefined;
}

/** Component to be replaced, if any. In a placeholder, only expected components can be replaced. */
export function replacedBy(source: ComponentRow, to: ShapeWithParts, target: Target): ComponentRow | undefined {
  const others = ofKind(to.components, source.kind);
  if (target.component !== undefined) {
    const named = componentNamed(to.components, target.component);
    if (named.kind === source.kind) return named;
    throw badValue('path', `a component of the kind ${source.kind}`, named.kind);
  }
  if (target.index !== undefined) {
    const taken = others[target.index];
    if (taken) return taken;
    if (target.index > others.length) {
      throw badParameter('index', `Expected an index of at most ${others.length}`, String(target.index));
    }
  }
  const expected = others.find((each) => each.expected === 1);
  if (expected) return expected;
  if (to.shape.placeholder === 1) throw kindFull(source.kind as ExpectedKind);
  if (source.kind === 'container' && others.length > 0) throw oneContainer(to.shape.id);
  return undefined;
}

export interface ComponentTransfer {
  readonly source: ComponentRow;
  /** Shape of the source. */
  readonly from: ShapeWithParts;
  readonly to: ShapeWithParts;
  readonly replaced: ComponentRow | undefined;
  /** Work that releases the files of the replaced component. */
  readonly released: CommitPlan;
  /** True: the new component takes over the key-value metadata of the replaced one. */
  readonly keepMetadata: boolean;
}

/** Copies a component. `id`: of the copy. `files`: those of the source. */
export function copyComponent(transfer: ComponentTransfer, id: string, files: readonly string[]): CommitPlan {
  const { source, to } = transfer;
  const { id: shapeId, itemId } = to.shape;
  const { position, document } = arrivalOf(transfer);
  return {
    changes: [
      ...sameShape(transfer.from.shape),
      ...changeTarget(transfer),
      insertComponent({ id, shapeId, kind: source.kind, position, expected: source.expected, document }),
      ...files.map((fileId) => useFile({ fileId, itemId, shapeId, componentId: id })),
      ...metadataOf(transfer, id),
      ...removeReplaced(transfer),
    ],
    events: [shapeEvent('modify', to.shape), ...transfer.released.events],
  };
}

/** Moves a component, which keeps its id. The source shape stays, even without components. */
export function moveComponent(transfer: ComponentTransfer): CommitPlan {
  const { source, from, to } = transfer;
  const { id } = source;
  const { id: shapeId, itemId } = to.shape;
  const isSame = from.shape.id === shapeId;
  const left = expectsWithout(from.components, id) ? from.shape.placeholder : 0;
  return {
    changes: [
      ...changeTarget(transfer),
      ...(isSame ? [] : changeShape(from.shape, { placeholder: left })),
      writeComponent({ id, shapeId, expected: source.expected, ...arrivalOf(transfer) }),
      moveUses({ componentId: id, itemId, shapeId }),
      ...(transfer.replaced && transfer.keepMetadata ? metadataOf(transfer, id) : []),
      ...removeReplaced(transfer),
    ],
    events: [
      shapeEvent('modify', to.shape),
      ...(isSame ? [] : [shapeEvent('modify', from.shape)]),
      ...transfer.released.events,
    ],
  };
}

function changeTarget({ to, replaced, source }: ComponentTransfer): readonly Statement[] {
  const stillExpects = to.components.some(
    (each) => each.expected === 1 && each.id !== replaced?.id && each.id !== source.id,
  );
  return changeShape(to.shape, { placeholder: stillExpects || source.expected === 1 ? to.shape.placeholder : 0 });
}

/** Position and properties in the target shape. A replacement takes over the track. */
function arrivalOf({ source, to, replaced }: ComponentTransfer): {
  readonly position: number;
  readonly document: string;
} {
  const kind = source.kind as ComponentKind;
  const { itemTrack: _track, ...properties } = propertiesOf(source);
  const track = replaced && propertiesOf(replaced)['itemTrack'];
  const others = to.components.filter((each) => each.id !== source.id);
  const last = ofKind(others, kind).at(-1)?.position ?? -1;
  const document = numbered(
    kind,
    { ...properties, ...(track !== undefined && { itemTrack: track }) },
    tracksOf(others),
  );
  return { position: replaced?.position ?? last + 1, document: JSON.stringify(document) };
}

const propertiesOf = ({ document }: ComponentRow): Readonly<Record<string, unknown>> =>
  JSON.parse(document) as Readonly<Record<string, unknown>>;

function metadataOf({ source, replaced, keepMetadata }: ComponentTransfer, id: string): readonly Statement[] {
  const from = keepMetadata && replaced ? replaced.id : source.id;
  return [removeAllKeys({ owner: 'component', id }), copyShapeKeys({ owner: 'component', from, to: id })];
}

const removeReplaced = ({ replaced, released }: ComponentTransfer): readonly Statement[] =>
  replaced ? [...removeComponent.map((statement) => statement({ id: replaced.id })), ...released.changes] : [];
