import { lacking } from '../../assets/access/public-reading.ts';
import { itemName } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import {
  loadShapes,
  noSuchVersion,
  notApproved,
  original,
  type ReviewedShape,
  readShapes,
  type Shape,
  shapesAt,
  shapesToRead,
} from '../../assets/shapes/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { access, type Route, roleMissing, route } from '../../http/route.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import {
  currentStates,
  endCurrentState,
  insertApproval,
  statesFit,
  statesOfVersion,
  versionThere,
} from './approval-sql.ts';
import { isEditorOf, writesAnnotations } from './change.ts';
import { approvalDocument, approvalOf } from './documents.ts';
import { reviewEvent } from './events.ts';
import { maxText } from './rules.ts';
import type { ApprovalState } from './tables.ts';

/** Role for the approval of versions. */
export const writesApprovals = '_approval_write';

/** Editors ask for a review. Any other state asks for more. */
const givesApprovals = access(
  {
    role: writesApprovals,
    or: { role: writesAnnotations, for: 'asking for a review of an item that the caller may write' },
  },
  async (call) => {
    const subject = subjectOf(call);
    if (!((await subject.has(writesApprovals)) || (await subject.has(writesAnnotations))))
      throw roleMissing(writesApprovals);
  },
);

/** States that one version can have had, and those that an answer has. */
const maxStates = 1_000;
const maxAnswered = 100;

/** Tags that one property names. */
const maxTags = 100;
const every = '*';

const approvedShapeTags: KnownProperty<readonly string[]> = {
  fallback: [],
  says: 'Shape tags, with commas between. Their shapes are exported and shared only in an approved version. "*": all shapes.',
  expected: `up to ${maxTags} shape tags with commas between, or "*"`,
  read(text) {
    const tags = text.split(',').map((tag) => tag.trim());
    if (text.trim() === '' || text.trim() === every) return text.trim() === '' ? [] : [every];
    return tags.length <= maxTags && tags.every((tag) => /^[\w.-]{1,64}$/.test(tag)) ? tags : undefined;
  },
};
export const approvalProperties = { approvedShapeTags } as const satisfies KnownProperties;

/** States in words, behind the name of a version. */
const words: Readonly<Record<ApprovalState, string>> = {
  'in-review': 'is in review',
  approved: 'has another original since it was approved',
  rejected: 'is rejected',
};

/** The rule that some shapes leave the service only in an approved version. */
export function createApprovals(reader: Reader) {
  const property = createProperties(reader, approvalProperties);

  /** Shapes that need an approval. */
  async function needing<S extends ReviewedShape>(shapes: readonly S[]): Promise<readonly S[]> {
    if (shapes.length === 0) return shapes;
    const ruled = new Set(await property('approvedShapeTags'));
    return ruled.has(every) ? shapes : shapes.filter(({ tags }) => tags.some((tag) => ruled.has(tag)));
  }

  return {
    needing,
    isReviewer: (caller: Caller) => subjectOf(caller).has(writesApprovals),
    async refused(shapes: readonly ReviewedShape[]): Promise<ReadonlyMap<string, ServiceError>> {
      const needed = await needing(shapes);
      if (needed.length === 0) return new Map();
      const states = await currentStates(reader, { itemIds: [...new Set(needed.map(({ itemId }) => itemId))] });
      const byVersion = new Map(states.map((row) => [`${row.essenceVersion} ${row.itemId}`, row]));
      const refusals = new Map<string, ServiceError>();
      for (const shape of needed) {
        const { state, at } = byVersion.get(`${shape.essenceVersion} ${shape.itemId}`) ?? {};
        // An original that came later is none that the reviewer saw.
        const isSeen = !shape.tags.includes(original) || (at !== undefined && shape.createdAt <= at);
        if (state === 'approved' && isSeen) continue;
        refusals.set(shape.id, notApproved(shape, state === undefined ? 'was not reviewed' : words[state]));
      }
      return refusals;
    },
  };
}

interface Step {
  readonly itemId: string;
  readonly essenceVersion: number;
  readonly state: ApprovalState;
  readonly comment: string | null;
  readonly userId: string;
  readonly user: string;
  readonly at: number;
}

const eventOf = { 'in-review': 'approval/request', approved: 'approval/approve', rejected: 'approval/reject' } as const;

function give(step: Step): CommitPlan {
  const { itemId, essenceVersion: version, state, comment, user } = step;
  const full = new ServiceError('bad-value', {
    context: 'path',
    id: itemId,
    explanation: `Expected fewer than ${maxStates} states of the version`,
  });
  return {
    changes: [
      versionThere({ itemId, version }, noSuchVersion(String(version))),
      statesFit({ itemId, version, max: maxStates }, full),
      endCurrentState({ itemId, version }),
      insertApproval({ ...step, isCurrent: 1 }),
    ],
    events: [
      reviewEvent(eventOf[state], itemId, {
        ...{ itemId, version, state, reviewer: user },
        ...(comment !== null && { comment }),
      }),
    ],
  };
}

/** Routes for the approval of the versions of items. */
export function approvalRoutes(
  { store, clock }: ItemsContext,
  { needing }: ReturnType<typeof createApprovals>,
): readonly Route[] {
  const path = '/item/:item/shape/version/:version/approval';
  const at = shapesAt(store);

  /** Shapes of a version that the caller may read. */
  async function shapesOf(reader: Reader, call: Caller, itemId: string, version: string): Promise<readonly Shape[]> {
    const readable = await shapesToRead(reader, call, await loadShapes(reader, itemId));
    const shapes = readable.filter(({ essenceVersion }) => String(essenceVersion) === version);
    if (shapes.length === 0) throw noSuchVersion(version);
    return shapes;
  }

  async function answer(reader: Reader, itemId: string, shapes: readonly Shape[]) {
    const version = shapes[0]!.essenceVersion;
    const steps = await statesOfVersion(reader, { itemId, version, max: maxAnswered });
    return approvalOf(itemId, version, steps, (await needing(shapes)).length > 0);
  }

  /** Refuses all but a request for review by an editor of the item. An approval is taken back by reviewers alone. */
  async function mayAsk(call: Caller, { itemId, essenceVersion }: Shape, state: ApprovalState): Promise<void> {
    if (state !== 'in-review') throw roleMissing(writesApprovals);
    if (!(await isEditorOf({ store }, call, { itemId }))) throw lacking(itemName, itemId, 'WRITE');
    const states = await currentStates(store, { itemIds: [itemId] });
    const isApproved = states.some((row) => row.essenceVersion === essenceVersion && row.state === 'approved');
    if (isApproved) throw roleMissing(writesApprovals);
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The state of an essence version under review, with the newest hundred states that it had.',
      entities: at.item('READ'),
      answers: approvalDocument,
      access: readShapes,
      handle: async (call, { item: { id }, version }) =>
        answer(call.reader, id, await shapesOf(call.reader, call, id, version)),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Gives an essence version the state in-review, approved or rejected, with a comment. Who may write the item and annotations asks for a review.',
      entities: at.item('READ'),
      reads: approvalDocument,
      answers: approvalDocument,
      access: givesApprovals,
      acting: 'allowed',
      async handle(call, { item: { id: itemId }, version }) {
        const { state, comment = '' } = call.body;
        if (state === undefined) throw badValue('/ApprovalDocument/state', 'in-review, approved or rejected');
        if (comment.length > maxText)
          throw badValue('/ApprovalDocument/comment', `at most ${maxText} characters`, String(comment.length));
        const shapes = await shapesOf(store, call, itemId, version);
        if (!(await subjectOf(call).has(writesApprovals))) await mayAsk(call, shapes[0]!, state);
        const { user, name } = subjectOf(call);
        await call.commit(
          give({
            ...{ itemId, essenceVersion: shapes[0]!.essenceVersion, state, comment: comment.trim() || null },
            ...{ userId: user?.id ?? '', user: name, at: clock.now() },
          }),
        );
        return answer(store, itemId, shapes);
      },
    }),
  ];
}
