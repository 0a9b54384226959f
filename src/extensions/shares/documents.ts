import {
  boolean,
  careful,
  dateTime,
  decimal,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import { markPlaces } from '../../room/marks.ts';
import { markOf } from './mark.ts';
import type { ShareRow, UploadRow, UseRow } from './store.ts';

const maxTags = 20;

const amount = (name: string) =>
  structure(name, {
    files: element(integer).required.says('Number of files.'),
    bytes: element(integer).required.says('Bytes of all files together.'),
  });
const bound = amount('ShareUploadType');

const tags = list(string).max(maxTags);

/** States of a share, by the logins of its maker, time, uses and the properties of the service. */
const shareStates = ['WAITING', 'OPEN', 'ENDED', 'USED', 'REVOKED', 'CLOSED'] as const;
type ShareState = (typeof shareStates)[number];

/** Items of one selection. */
const maxSelected = 1_000;

/** Uses of media by guests where the service chooses the shapes. */
const mediaUses = ['play', 'download'] as const;

/** Text over what guests see. */
const shareMark = structure('ShareMarkType', {
  text: element(string).says(
    'Text with {name}, {address}, {date} and {title}. The number of the guest follows. Default: "{name} {date}".',
  ),
  place: element(oneOf(...markPlaces)).says('Where it stands. Default: tiles, which is all over.'),
  strength: element(integer).says('How much is seen of it, in percent from 10 to 100. Default: 30.'),
  burn: element(boolean).says(
    'Whether it is part of all pictures and films that guests get. They get nothing else then. Default: false.',
  ),
});

/** An item without anything that guests can play. */
const silentItem = structure('ShareItemType', {
  id: element(string).required,
  title: element(string),
  mediaType: element(string),
});

export const shareDocument = careful(
  document('ShareDocument', {
    id: element(string).outputOnly,
    user: element(string).outputOnly.says('Who made it. Guests have the rights of this user.'),
    item: element(string).outputOnly.says('What it shows.'),
    collection: element(string).outputOnly,
    library: element(string).outputOnly,
    selection: list(string)
      .max(maxSelected)
      .inputOnly.says('Items of a new share of a selection. They become a library, which goes with its last share.'),
    token: element(string).outputOnly.says('Secret of the address. Only in the answer that creates the share.'),
    keepsToken: element(boolean).outputOnly.says(
      'Whether the service can tell the secret again: it is sealed by the secret key.',
    ),
    state: element(oneOf(...shareStates)).outputOnly.says(
      'WAITING: its first day is still to come. REVOKED: logins of its maker were revoked since, and a change by the maker opens it again. CLOSED: sharing is switched off, or a password became necessary.',
    ),
    title: element(string).says('Heading for guests. Default: the title of what it shows.'),
    note: element(string).says('Sentence of the maker for guests.'),
    password: element(string).inputOnly.says('Password that guests need. Empty: none. Left out: as before.'),
    isProtected: element(boolean).outputOnly.says('Whether guests need a password.'),
    begins: element(dateTime).says('Guests come in from then on.'),
    ends: element(dateTime).says('Guests come in until then.'),
    maxUses: element(integer).says('How many guests come in. Each login of a guest is a use.'),
    used: element(integer).outputOnly,
    asksName: element(boolean).says('Whether guests give a name. Default: false.'),
    look: element(boolean).says('Whether guests see items. Default: true. False is for uploads alone.'),
    comment: element(boolean).says('Whether guests comment on items, and see the comments of guests. Default: false.'),
    mark: element(shareMark).says('Mark over pictures and films that says who sees them. Left out: none.'),
    allow: list(oneOf(...mediaUses))
      .max(mediaUses.length)
      .says('What guests do with media. Left out: what has tags.'),
    play: tags.says(
      'Tags of the shapes that guests play. None: the stream, films for the web, or else an original that browsers show.',
    ),
    download: tags.says('Tags of the shapes that guests download. None: originals.'),
    nothingToPlay: list(silentItem).outputOnly.says(
      'Items without a shape that guests could play, among the first hundred. Only in answers that make or change a share that allows it.',
    ),
    upload: element(bound).says('What guests may upload into a collection. Left out: nothing.'),
    uploaded: element(bound).outputOnly.says(
      'Files that have arrived, and their bytes. Those that are being sent have their place, and are not counted.',
    ),
    created: element(dateTime).outputOnly,
  }),
);
export type Share = Value<typeof shareDocument>;

const shareTerms = structure('ShareTermsType', {
  isOn: element(boolean).required.says('False: no share opens, and none is made.'),
  maxDays: element(integer).says('Days after which each share has ended. Left out: any number.'),
  needsPassword: element(boolean).required.says('True: no share opens without a password.'),
  burns: list(oneOf('pictures', 'films')).says('Media that this service makes marks a part of. Empty: none.'),
});

const origin = structure('ShareOriginType', {
  share: element(string).required,
  title: element(string).says('Title of the share at that time. It may be deleted since.'),
  name: element(string).says('Name that the guest gave.'),
  at: element(dateTime).required,
});

export const shareListDocument = document('ShareListDocument', {
  share: list(shareDocument.structure),
  origin: element(origin).says('By which share a guest sent the item. In the list of an item alone.'),
  terms: element(shareTerms).says('What administrators allow for all shares.'),
});

export const shareTokenDocument = document('ShareTokenDocument', {
  token: element(string).required.says('Secret of the address.'),
});

const sentFile = structure('ShareFileType', {
  item: element(string).required,
  name: element(string).says('Name of the file.'),
  at: element(dateTime).required,
});

const use = structure('ShareUseType', {
  number: element(integer).says('Number of the guest, with which marks end.'),
  at: element(dateTime).required,
  name: element(string).says('Name that the guest gave.'),
  device: element(string),
  address: element(string),
  file: list(sentFile).says(
    'Files of the guest that have become items, the newest first. A page has a thousand at most.',
  ),
});
export const shareUseListDocument = document('ShareUseListDocument', { use: list(use) });

export const shareEntranceDocument = careful(
  document('ShareEntranceDocument', {
    token: element(string).required.says('Secret of the address.'),
    password: element(string),
    name: element(string).says('Name of the guest.'),
  }),
);

const guestMark = structure('GuestMarkType', {
  text: element(string).required,
  place: element(oneOf(...markPlaces)).required,
  strength: element(integer).required.says('Percent that are seen of it.'),
  burn: element(boolean).says('Whether pictures and films have it in them. Left out: the page lays it over them.'),
});

/** View of a share for its guests. */
export const shareGuestDocument = document('ShareGuestDocument', {
  id: element(string).says('Name of the share in addresses. Left out: the guest is not in yet.'),
  needs: list(oneOf('password', 'name')).says('What the entrance needs besides.'),
  type: element(oneOf('item', 'collection', 'library')),
  title: element(string).says('Left out before the password, as all but "needs" and "from" is.'),
  from: element(string).says('Real name of the maker.'),
  note: element(string).says('Sentence of the maker.'),
  name: element(string).says('Name that the guest gave.'),
  item: element(string).says('The item that the share shows.'),
  look: element(boolean),
  play: element(boolean).says('Whether guests play what items have.'),
  download: element(boolean).says('Whether guests download what items have.'),
  comment: element(boolean),
  mark: element(guestMark).says('Mark over what the guest sees. Left out: none.'),
  ends: element(dateTime),
  upload: element(bound).says('What is left to upload.'),
});
export type ShareGuest = Value<typeof shareGuestDocument>;

const sharedShape = structure('SharedShapeType', {
  id: element(string).required,
  tag: list(string),
  mimeType: element(string),
  bytes: element(integer),
  stream: element(boolean).says('True: its manifest is at …/stream. Left out: its bytes are at …/shape/{shape}.'),
  play: element(boolean).required,
  download: element(boolean).required,
});

/** How the frames of an item are counted, also in lists of cuts. */
const sharedTiming = structure('SharedTimingType', {
  numerator: element(integer).required.says('Frames a second, as a fraction.'),
  denominator: element(integer).required,
  dropFrame: element(boolean),
  start: element(integer).says('Number of the first frame. Default: 0.'),
});

/** View of an item for guests. */
export const sharedItemDocument = document('SharedItemDocument', {
  id: element(string).required,
  title: element(string),
  mediaType: element(string),
  durationSeconds: element(string),
  width: element(string),
  height: element(string),
  timing: element(sharedTiming),
  comments: element(integer).says('Number of comments that the guest sees. Left out: none.'),
  shape: list(sharedShape).says('Shapes that the guest plays or downloads, those first that play best.'),
  waits: element(boolean).says(
    'Whether shapes are left out: their version is not approved, or terms of use close them now.',
  ),
  unmarked: element(boolean).says('Whether shapes are left out: the mark of the share cannot be made a part of them.'),
});
export type SharedItem = Value<typeof sharedItemDocument>;

export const sharedItemListDocument = document('SharedItemListDocument', {
  item: list(sharedItemDocument.structure),
  nextCursor: element(string).says(
    'Where the next page begins. A page with fewer items than asked for is the last one.',
  ),
});

export const sharedSheetDocument = document('SharedSheetDocument', {
  thumbnail: list(
    structure('SharedThumbnailType', {
      seconds: element(decimal).required.says('Time from which it is shown.'),
      x: element(integer).required.says('Pixels from the left.'),
      y: element(integer).required.says('Pixels from the top.'),
      width: element(integer).required,
      height: element(integer).required,
    }),
  ),
});

const outcomes = ['READING', 'READ', 'UNREADABLE'] as const;

const sharedFile = structure('SharedFileType', {
  upload: element(string).required.says('Name of the upload in its address.'),
  name: element(string).says('Name of the file.'),
  state: element(oneOf(...outcomes)).required.says(
    'READING: its media are still looked into. UNREADABLE: it is cut, empty, or not the media that its name promises.',
  ),
});

export const sharedFileListDocument = document('SharedFileListDocument', {
  file: list(sharedFile).says('Files of the guest that have become items, the newest first: the last hundred.'),
});

/** Outcome of an import, by the status of its job. */
export const outcomeOf = (status: string, complains: boolean): (typeof outcomes)[number] => {
  if (status === 'FAILED_TOTAL' || (complains && status === 'FINISHED_WARNING')) return 'UNREADABLE';
  return /^(?:FINISHED|ABORTED$)/.test(status) ? 'READ' : 'READING';
};

const sharedComment = structure('SharedAnnotationType', {
  id: element(string).outputOnly,
  parent: element(string).says('Comment of a guest of the share that this one replies to.'),
  start: element(string).says('Start as a time code, such as "250@PAL". Without one: all of the item.'),
  end: element(string),
  rectangle: element(string).says('Part of the picture, such as "percent:10,20,30,40".'),
  drawing: element(string).says('Drawing on the picture, in SVG.'),
  text: element(string),
  guest: element(boolean).outputOnly.says('Whether a guest wrote it. Left out: a user of the service replies.'),
  maker: element(boolean).outputOnly.says('Whether the maker of the share replies. Left out: somebody else.'),
  name: element(string).outputOnly.says('Name that the guest gave.'),
  created: element(dateTime).outputOnly,
  key: element(string).outputOnly.says(
    'Lets the guest who has it change and delete the comment. Only in the answer that creates one, where the service has a secret key.',
  ),
});

export const sharedAnnotationDocument = careful(document('SharedAnnotationDocument', sharedComment));
export const sharedAnnotationListDocument = document('SharedAnnotationListDocument', {
  hits: element(integer).says('Number of comments on all pages.'),
  annotation: list(sharedComment).says('Comments, the oldest first.'),
});
export type SharedAnnotation = Value<typeof sharedAnnotationDocument>;

export const tagsOf = (json: string): readonly string[] => JSON.parse(json) as string[];

/** Terms of administrators for all shares. */
export interface Policy {
  readonly isOn: boolean;
  readonly maxDays: number;
  readonly needsPassword: boolean;
}

const day = 24 * 60 * 60_000;

/** When a share made at a time has lived as long as it may. */
export const lifeEnd = (createdAt: number, { maxDays }: Policy): number =>
  maxDays === 0 ? Number.POSITIVE_INFINITY : createdAt + maxDays * day;

/** When a share ends. Infinity: never. */
export const endOf = ({ ends, createdAt }: Pick<ShareRow, 'ends' | 'createdAt'>, policy: Policy): number =>
  Math.min(ends ?? Number.POSITIVE_INFINITY, lifeEnd(createdAt, policy));

export function stateOf(row: ShareRow, now: number, policy: Policy): ShareState {
  const { begins, maxUses, used, password } = row;
  if (!policy.isOn || (policy.needsPassword && password === null)) return 'CLOSED';
  if (endOf(row, policy) <= now) return 'ENDED';
  if (maxUses !== null && used >= maxUses) return 'USED';
  return begins !== null && begins > now ? 'WAITING' : 'OPEN';
}

interface ShareView {
  /** Name of the maker. */
  readonly user: string;
  readonly now: number;
  readonly policy: Policy;
  /** Whether logins of the maker were revoked since. */
  readonly isRevoked?: boolean;
}

export function shareFrom(row: ShareRow, { user, now, policy, isRevoked = false }: ShareView): Share {
  const ends = endOf(row, policy);
  return {
    id: row.id,
    user,
    [row.targetType]: row.targetId,
    keepsToken: row.sealed !== null,
    state: isRevoked ? 'REVOKED' : stateOf(row, now, policy),
    title: row.title ?? undefined,
    note: row.note ?? undefined,
    isProtected: row.password !== null,
    begins: row.begins ?? undefined,
    ends: Number.isFinite(ends) ? ends : undefined,
    maxUses: row.maxUses ?? undefined,
    used: row.used,
    asksName: row.asksName === 1,
    look: row.look === 1,
    comment: row.comment === 1,
    mark: markOf(row),
    allow: mediaUses.filter((use) => row[`${use}s`] === 1),
    play: tagsOf(row.play),
    download: tagsOf(row.download),
    upload: uploadOf(row),
    uploaded: row.uploadFiles === null ? undefined : { files: row.files, bytes: row.bytes },
    created: row.createdAt,
  };
}

export const uploadOf = ({ uploadFiles: files, uploadBytes: bytes }: ShareRow) =>
  files === null || bytes === null ? undefined : { files, bytes };

export const useFrom = ({ id, at, name, device, address }: UseRow, files: readonly UploadRow[]) => ({
  number: id,
  at,
  name: name ?? undefined,
  device: device ?? undefined,
  address: address ?? undefined,
  file: files.map(({ itemId, file, ends }) => ({ item: itemId ?? '', name: file || undefined, at: ends })),
});

export const originFrom = ({ shareId, title, guest, ends }: UploadRow) => ({
  share: shareId,
  title: title ?? undefined,
  name: guest ?? undefined,
  at: ends,
});
