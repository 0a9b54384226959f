import {
  boolean,
  careful,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import type { ShareRow, UseRow } from './store.ts';

const mostTags = 20;

const amount = (name: string) =>
  structure(name, {
    files: element(integer).required.says('Number of files.'),
    bytes: element(integer).required.says('Bytes of all files together.'),
  });
const bound = amount('ShareUploadType');

const tags = list(string).most(mostTags);

/** States of a share, by time and uses. */
const shareStates = ['WAITING', 'OPEN', 'ENDED', 'USED'] as const;
type ShareState = (typeof shareStates)[number];

export const shareDocument = careful(
  document('ShareDocument', {
    id: element(string).outputOnly,
    user: element(string).outputOnly.says('Who made it. Guests have the rights of this user.'),
    item: element(string).outputOnly.says('What it shows.'),
    collection: element(string).outputOnly,
    library: element(string).outputOnly,
    token: element(string).outputOnly.says('Secret of the address. Only in the answer that creates the share.'),
    state: element(oneOf(...shareStates)).outputOnly.says('WAITING: its first day is still to come.'),
    title: element(string).says('Heading for guests. Default: the title of what it shows.'),
    password: element(string).inputOnly.says('Password that guests need. Empty: none. Left out: as before.'),
    isProtected: element(boolean).outputOnly.says('Whether guests need a password.'),
    begins: element(dateTime).says('Guests come in from then on.'),
    ends: element(dateTime).says('Guests come in until then.'),
    maxUses: element(integer).says('How many guests come in. Each login of a guest is a use.'),
    used: element(integer).outputOnly,
    asksName: element(boolean).says('Whether guests give a name. Default: false.'),
    look: element(boolean).says('Whether guests see items. Default: true. False is for uploads alone.'),
    comment: element(boolean).says('Whether guests comment on items, and see the comments of guests. Default: false.'),
    play: tags.says('Tags of the shapes that guests play.'),
    download: tags.says('Tags of the shapes that guests download.'),
    upload: element(bound).says('What guests may upload into a collection. Left out: nothing.'),
    uploaded: element(bound).outputOnly,
    created: element(dateTime).outputOnly,
  }),
);
export type Share = Value<typeof shareDocument>;

export const shareListDocument = document('ShareListDocument', { share: list(shareDocument.structure) });

const use = structure('ShareUseType', {
  at: element(dateTime).required,
  name: element(string).says('Name that the guest gave.'),
  device: element(string),
  address: element(string),
});
export const shareUseListDocument = document('ShareUseListDocument', { use: list(use) });

export const shareEntranceDocument = careful(
  document('ShareEntranceDocument', {
    token: element(string).required.says('Secret of the address.'),
    password: element(string),
    name: element(string).says('Name of the guest.'),
  }),
);

/** View of a share for its guests. */
export const shareGuestDocument = document('ShareGuestDocument', {
  id: element(string).says('Name of the share in addresses. Left out: the guest is not in yet.'),
  needs: list(oneOf('password', 'name')).says('What the entrance needs besides.'),
  type: element(oneOf('item', 'collection', 'library')),
  title: element(string),
  item: element(string).says('The item that the share shows.'),
  look: element(boolean),
  comment: element(boolean),
  ends: element(dateTime),
  upload: element(bound).says('What is left to upload.'),
});
export type ShareGuest = Value<typeof shareGuestDocument>;

const sharedShape = structure('SharedShapeType', {
  id: element(string).required,
  tag: list(string),
  mimeType: element(string),
  bytes: element(integer),
  play: element(boolean).required,
  download: element(boolean).required,
});

/** View of an item for guests. */
export const sharedItemDocument = document('SharedItemDocument', {
  id: element(string).required,
  title: element(string),
  mediaType: element(string),
  durationSeconds: element(string),
  width: element(string),
  height: element(string),
  shape: list(sharedShape).says('Shapes that the guest plays or downloads. Only in the document of one item.'),
  waits: element(boolean).says('Whether shapes are left out until their version is approved.'),
});
export type SharedItem = Value<typeof sharedItemDocument>;

export const sharedItemListDocument = document('SharedItemListDocument', {
  item: list(sharedItemDocument.structure),
  nextCursor: element(string).says('Where the next page begins. Left out on the last page.'),
});

const sharedComment = structure('SharedAnnotationType', {
  id: element(string).outputOnly,
  parent: element(string).says('Comment of a guest of the share that this one replies to.'),
  start: element(string).says('Start as a time code, such as "250@PAL". Without one: all of the item.'),
  end: element(string),
  rectangle: element(string).says('Part of the picture, such as "percent:10,20,30,40".'),
  drawing: element(string).says('Drawing on the picture, in SVG.'),
  text: element(string),
  name: element(string).outputOnly.says('Name of the guest. Left out: a user replies.'),
  created: element(dateTime).outputOnly,
});

export const sharedAnnotationDocument = careful(document('SharedAnnotationDocument', sharedComment));
export const sharedAnnotationListDocument = document('SharedAnnotationListDocument', {
  hits: element(integer).says('Number of comments on all pages.'),
  annotation: list(sharedComment).says('Comments, the oldest first.'),
});
export type SharedAnnotation = Value<typeof sharedAnnotationDocument>;

export const tagsOf = (json: string): readonly string[] => JSON.parse(json) as string[];

export function stateOf({ begins, ends, maxUses, used }: ShareRow, now: number): ShareState {
  if (ends !== null && ends <= now) return 'ENDED';
  if (maxUses !== null && used >= maxUses) return 'USED';
  return begins !== null && begins > now ? 'WAITING' : 'OPEN';
}

export const shareFrom = (row: ShareRow, user: string, now: number, token?: string): Share => ({
  id: row.id,
  user,
  [row.targetType]: row.targetId,
  token,
  state: stateOf(row, now),
  title: row.title ?? undefined,
  isProtected: row.password !== null,
  begins: row.begins ?? undefined,
  ends: row.ends ?? undefined,
  maxUses: row.maxUses ?? undefined,
  used: row.used,
  asksName: row.asksName === 1,
  look: row.look === 1,
  comment: row.comment === 1,
  play: tagsOf(row.play),
  download: tagsOf(row.download),
  upload: uploadOf(row),
  uploaded: row.uploadFiles === null ? undefined : { files: row.files, bytes: row.bytes },
  created: row.createdAt,
});

export const uploadOf = ({ uploadFiles: files, uploadBytes: bytes }: ShareRow) =>
  files === null || bytes === null ? undefined : { files, bytes };

export const useFrom = ({ at, name, device, address }: UseRow) => ({
  at,
  name: name ?? undefined,
  device: device ?? undefined,
  address: address ?? undefined,
});
