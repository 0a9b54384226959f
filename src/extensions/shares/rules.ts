import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { Share } from './documents.ts';
import { happened } from './events.ts';
import { fewShares, insertShare, removeShare, type ShareRow, updateShare } from './store.ts';
import type { TargetType } from './tables.ts';

/** Shares of one user. */
const mostShares = 10_000;
const longestTitle = 200;
export const longestName = 100;
export const longestFileName = 255;

const place = (name: string) => `/ShareDocument/${name}`;

/** Columns that a document sets. The password is hashed elsewhere. */
type Terms = Omit<
  ShareRow,
  | 'id'
  | 'serial'
  | 'userId'
  | 'targetType'
  | 'targetId'
  | 'digest'
  | 'password'
  | 'used'
  | 'comments'
  | 'files'
  | 'bytes'
  | 'createdAt'
>;

export function termsFrom(
  { title = '', begins, ends, maxUses, asksName, look = true, comment, play = [], download = [], upload }: Share,
  targetType: TargetType,
): Terms {
  if (title.length > longestTitle) throw badValue(place('title'), `at most ${longestTitle} characters`, title);
  if (begins !== undefined && ends !== undefined && ends <= begins)
    throw badValue(place('ends'), 'a time after "begins"', new Date(ends).toISOString());
  if (maxUses !== undefined && maxUses < 1) throw badValue(place('maxUses'), 'a number from 1', String(maxUses));
  if (upload && targetType !== 'collection')
    throw badValue(place('upload'), 'a share of a collection: guests upload into nothing else', targetType);
  for (const key of ['files', 'bytes'] as const)
    if (upload && upload[key] < 1) throw badValue(place(`upload/${key}`), 'a number from 1', String(upload[key]));
  if (!look && !upload) throw badValue(place('look'), '"true": guests neither see nor upload anything', 'false');
  if (!look && comment) throw badValue(place('comment'), '"false": guests who see nothing comment on nothing', 'true');
  return {
    title: title.trim() || null,
    begins: begins ?? null,
    ends: ends ?? null,
    maxUses: maxUses ?? null,
    asksName: asksName === true ? 1 : 0,
    look: look ? 1 : 0,
    comment: comment === true ? 1 : 0,
    play: JSON.stringify([...new Set(play)]),
    download: JSON.stringify([...new Set(download)]),
    uploadFiles: upload?.files ?? null,
    uploadBytes: upload?.bytes ?? null,
  };
}

const about = ({ id, targetType, targetId }: ShareRow) => ({ share: id, targetType, targetId });
export const eventOf = about;

/** `guards`: what the share names is still there. */
export const createShare = (row: ShareRow, guards: readonly Statement[]): CommitPlan => ({
  changes: [...guards, fewShares({ userId: row.userId, most: mostShares }, tooMany), insertShare(row)],
  events: [happened('share/create', row.id, about(row))],
});

export const changeShare = (row: ShareRow, guards: readonly Statement[]): CommitPlan => ({
  changes: [...guards, updateShare(row)],
  events: [happened('share/modify', row.id, about(row))],
});

export const deleteShare = (row: ShareRow): CommitPlan => ({
  changes: [removeShare({ id: row.id })],
  events: [happened('share/delete', row.id, about(row))],
});

const tooMany = new ServiceError('bad-value', {
  context: '/ShareDocument',
  explanation: `Expected at most ${mostShares} shares of one user: delete some`,
});

export const noSuchShare = (name: string): ServiceError => noSuchEntity({ noun: 'Share' }, name);

/** Answer to guests for all that they may not have: it tells nothing of what is there. */
export const gone = (): ServiceError =>
  new ServiceError('no-such-entity', {
    type: 'Share',
    explanation: 'Expected a share that is open, and what it shows',
  });
