import type { ItemChange } from '../../events/payloads.ts';
import type { Committing, Participant, Statement, Touch } from '../../store/contract.ts';
import type { ShapeState } from '../events.ts';
import { makeDue, noChangeSet } from './store.ts';

/** Marks commits of rules: what a rule writes starts none. */
export const wroteByRule = (name: string): Touch => ({ kind: 'auto-projection', id: name, aspect: 'wrote' });

const isOfRule = ({ kind }: Touch): boolean => kind === 'auto-projection';

/** The work is woken by the same commits. */
export const startingCommits = [
  'metadata/modify',
  'shape.keys',
  'bulky.item',
  'bulky.shape',
  'bulky.component',
] as const;

/** Items whose metadata changes wait for the rules from the commit on that changes it. */
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
    return [makeDue({ causes: JSON.stringify(causes), depth: actor.depth ?? 0, now })];
  },
};
