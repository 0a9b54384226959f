import { newUser } from '../../support/cast.ts';
import { by, json } from '../../support/requests.ts';
import type { Credentials } from '../../support/service.ts';

/** Ann owns the items. Ben reads the first one and comments on it. Cat reads it alone. Dan comments and reads nothing. */
export const [ann, ben, cat, dan] = ['ann', 'ben', 'cat', 'dan'].map(
  (name): Credentials => [name, `password of ${name}`],
) as [Credentials, Credentials, Credentials, Credentials];

const reads = ['_item_read', '_item_shape_read'];
const writes = [...reads, '_annotation_write'];
const gives = (user: string, permission = 'READ') => by('POST /API/item/VX-1/access', { user, permission });

/** VX-1 for all but Dan, and VX-2 for Ann alone. */
export const people = [
  newUser(ann, [...writes, '_import', '_item_write']),
  newUser(ben, writes),
  newUser(cat, reads),
  newUser(dan, writes),
  by('POST /API/import/placeholder?container=1', undefined, json, ann),
  by('POST /API/import/placeholder?container=1', undefined, json, ann),
  gives('ben'),
  gives('cat'),
];

export const place = '/API/item/VX-1/annotation';
export const comment = (body: object, as = ben) => by(`POST ${place}`, body, json, as);
