import type { ShapeState } from '../../../assets/shapes/public.ts';
import type { ItemChange } from '../../../core/events/payloads.ts';
import type { Committing, Participant, Statement, Touch } from '../../../core/store/contract.ts';
import { makeDue, noChangeSet } from './store.ts';

/** Marks commits of rules, which must not trigger rules again. */
export const wroteByRule = (name: string): Touch => ({ kind: 'auto-projection', id: name, aspect: 'wrote' });

const isOfRule = ({ kind }: Touch): boolean => kind === 'auto-projection';

/** Commits that trigger rules, and wake the work. */
export const startingCommits = [
  'metadata/modify',
  'shape.keys',
  'bulky.item',
  'bulky.shape',
  'bulky.component',
] as const;

/** Queues items for rules in the commit that changes their metadata. */
export const autoProjectionParticipant: Participant = {
  name: 'auto-projections',
  concerns: startingCommits,
  after({ events, touches, actor, now }: Committing): readonly Statement[] {
    if (touches.some(isOfRule)) return [];
    const shapes = new Set(
      touches.flatMap(({ kind, id, aspect }) => (kind === 'shape' && aspect === 'keys' ? id : [])),
    );
    const ofEvents = events.flatMap(({ name, entityId, payload }) => {
      if (name === 'metadata/modify') return [[entityId, 'itemMetadata', '', (payload as ItemChange).changeSetId]];
      const { itemId, shapeId } = payload as Partial<ShapeState>;
      return name === 'shape/modify' && shapes.has(shapeId!) ? [[itemId, 'shapeMetadata', shapeId, noChangeSet]] : [];
    });
    const ofBulky = touches.flatMap(({ kind, id, aspect: type }) =>
      kind === 'bulky' ? [[type === 'item' ? id : null, 'bulkyMetadata', `${type} ${id}`, noChangeSet, type, id]] : [],
    );
    const causes = [...ofEvents, ...ofBulky];
    return [makeDue({ causes, depth: actor.depth ?? 0, now })];
  },
};
