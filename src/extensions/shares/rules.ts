import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { lifeEnd, type Policy, type Share } from './documents.ts';
import { shareEvent } from './events.ts';
import { hasPart, isBurnt, markFrom } from './mark.ts';
import { endUses, fewShares, insertShare, removeShare, type ShareRow, updateSecret, updateShare } from './store.ts';
import type { TargetType } from './tables.ts';

/** Shares of one user. */
const maxShares = 10_000;
const maxTitleLength = 200;
const maxNoteLength = 2_000;
export const maxNameLength = 100;
export const maxFileNameLength = 255;

const place = (name: string) => `/ShareDocument/${name}`;

/** Columns that a document sets. The password is hashed elsewhere. */
type Terms = Omit<
  ShareRow,
  | 'id'
  | 'serial'
  | 'userId'
  | 'caller'
  | 'login'
  | 'targetType'
  | 'targetId'
  | 'digest'
  | 'sealed'
  | 'ownsTarget'
  | 'password'
  | 'used'
  | 'comments'
  | 'files'
  | 'bytes'
  | 'createdAt'
>;

interface Bounds {
  readonly targetType: TargetType;
  readonly policy: Policy;
  readonly createdAt: number;
}

export function termsFrom(document: Share, { targetType, policy, createdAt }: Bounds): Terms {
  const { title = '', note = '', begins, ends, maxUses, asksName, look = true, comment, mark, upload } = document;
  if (title.length > maxTitleLength) throw badValue(place('title'), `at most ${maxTitleLength} characters`, title);
  if (note.length > maxNoteLength) throw badValue(place('note'), `at most ${maxNoteLength} characters`, note);
  if (begins !== undefined && ends !== undefined && ends <= begins)
    throw badValue(place('ends'), 'a time after "begins"', new Date(ends).toISOString());
  if (ends !== undefined && ends > lifeEnd(createdAt, policy)) {
    const expected = `a time within ${policy.maxDays} days after the share was made (property maxShareDays)`;
    throw badValue(place('ends'), expected, new Date(ends).toISOString());
  }
  if (maxUses !== undefined && maxUses < 1) throw badValue(place('maxUses'), 'a number from 1', String(maxUses));
  if (upload && targetType !== 'collection')
    throw badValue(place('upload'), 'a share of a collection: guests upload into nothing else', targetType);
  for (const key of ['files', 'bytes'] as const)
    if (upload && upload[key] < 1) throw badValue(place(`upload/${key}`), 'a number from 1', String(upload[key]));
  if (!look && !upload) throw badValue(place('look'), '"true": guests neither see nor upload anything', 'false');
  if (!look && comment) throw badValue(place('comment'), '"false": guests who see nothing comment on nothing', 'true');
  const marked = mark && markFrom(mark);
  if (marked && !look) throw badValue(place('mark'), 'none: guests who see nothing need no mark', marked.text);
  if (marked && asksName !== true && hasPart(marked, 'name'))
    throw badValue(place('asksName'), '"true": the mark has the name of the guest', 'false');
  const media = mediaTerms(document);
  if (marked?.burn && media.downloads === 1)
    throw badValue(place('mark/burn'), '"false", or no downloads: what guests download has no mark in it', 'true');
  return {
    title: title.trim() || null,
    note: note.trim() || null,
    begins: begins ?? null,
    ends: ends ?? null,
    maxUses: maxUses ?? null,
    asksName: asksName === true ? 1 : 0,
    look: look ? 1 : 0,
    comment: comment === true ? 1 : 0,
    mark: marked ? JSON.stringify(marked) : null,
    ...media,
    uploadFiles: upload?.files ?? null,
    uploadBytes: upload?.bytes ?? null,
  };
}

/** Without `allow`, tags alone say what guests do, as clients of older versions send it. */
function mediaTerms({ allow, play = [], download = [] }: Share) {
  const tags = { play, download };
  for (const use of ['play', 'download'] as const)
    if (allow?.length && !allow.includes(use) && tags[use].length > 0)
      throw badValue(place(use), `no tags, or "${use}" in "allow"`, tags[use].join());
  const allowed = (use: 'play' | 'download') => (allow?.includes(use) || tags[use].length > 0 ? 1 : 0);
  return {
    plays: allowed('play'),
    downloads: allowed('download'),
    play: JSON.stringify([...new Set(play)]),
    download: JSON.stringify([...new Set(download)]),
  };
}

/** Throws where no share may be made. */
export function expectSharing({ isOn }: Policy): void {
  if (isOn) return;
  const explanation = 'Expected sharing to be switched on (property sharing)';
  throw new ServiceError('not-allowed', { context: 'property', id: 'sharing', explanation });
}

/** Throws where a share would lack a password that it needs. */
export function expectPassword({ needsPassword }: Policy, password: string | null): void {
  if (!needsPassword || password !== null) return;
  throw badValue(place('password'), 'a password: shares need one (property shareNeedsPassword)', '');
}

/** Throws where a mark is to become part of pictures, and nobody here draws it. */
export function expectMarks(share: Pick<ShareRow, 'mark'>, burnt: readonly string[]): void {
  if (!isBurnt(share) || burnt.includes('pictures')) return;
  const expected = '"false": this host has no threads that draw marks, or leaves out the extension "pictures"';
  throw badValue(place('mark/burn'), expected, 'true');
}

const about = ({ id, targetType, targetId }: ShareRow) => ({ share: id, targetType, targetId });
export const eventOf = about;

/** `guards`: what the share names is still there. */
export const createShare = (row: ShareRow, guards: readonly Statement[]): CommitPlan => ({
  changes: [...guards, fewShares({ userId: row.userId, max: maxShares }, tooMany), insertShare(row)],
  events: [shareEvent('share/create', row.id, about(row))],
});

export const changeShare = (row: ShareRow, guards: readonly Statement[]): CommitPlan => ({
  changes: [...guards, updateShare(row)],
  events: [shareEvent('share/modify', row.id, about(row))],
});

/** Guests come in again by the new address alone. */
export const moveShare = (row: ShareRow): CommitPlan => ({
  changes: [updateSecret(row), endUses({ id: row.id })],
  events: [shareEvent('share/modify', row.id, about(row))],
});

export const deleteShare = (row: ShareRow): CommitPlan => ({
  changes: [removeShare({ id: row.id })],
  events: [shareEvent('share/delete', row.id, about(row))],
});

const tooMany = new ServiceError('bad-value', {
  context: '/ShareDocument',
  explanation: `Expected at most ${maxShares} shares of one user: delete some`,
});

export const noSuchShare = (name: string): ServiceError => noSuchEntity({ noun: 'Share' }, name);

/** Answer where a secret is not told. */
export const noSuchToken = (share: string): ServiceError => noSuchEntity({ noun: 'ShareToken' }, share);

/** Answer to guests for all that they may not have: it tells nothing of what is there. */
export const shareNotFound = (): ServiceError =>
  new ServiceError('no-such-entity', {
    type: 'Share',
    explanation: 'Expected a share that is open, and what it shows',
  });
