import type { JoinedRows } from '../../assets/search/public.ts';

/** Name of now of a user, or the name of that time for one who is unknown or gone. */
const nameOf = (id: string, name: string) => ({
  type: 'text' as const,
  value: `coalesce((SELECT user.name FROM user WHERE user.id = row.${id}), row.${name})`,
  narrows: `(row.${id} = (SELECT user.id FROM user WHERE user.name = ?) OR row.${name} = ?)`,
});

/** Annotations as searches of items ask about them. */
export const annotationRows: JoinedRows = {
  table: 'annotation',
  textIndex: 'annotation_text',
  fields: {
    text: { type: 'words', value: 'row.text' },
    state: { type: 'text', value: 'row.state', narrows: 'row.state = ?' },
    user: nameOf('user_id', 'user'),
    assignedTo: nameOf('assignee_id', 'assignee'),
    version: { type: 'whole', value: 'row.essence_version' },
    created: { type: 'date', value: 'row.created_at' },
    parent: { type: 'text', value: 'row.parent' },
  },
};
