import { indexedWords } from '../../assets/search/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { GuestRefusal, ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { reviewEvent } from './events.ts';
import { checkRegion, type Region } from './region.ts';
import {
  type AnnotationRow,
  annotationMustExist,
  annotationsFit,
  annotationUnchanged,
  deleteAnnotations,
  hasNoReply,
  insertAnnotation,
  repliesAreOf,
  updateAnnotation,
  writeAnnotationWords,
} from './store.ts';

/** Annotations of one item. */
const maxAnnotations = 10_000;
/** Characters of a text. */
export const maxText = 4_000;
/** Users that one text names. */
const maxMentions = 20;

export const noSuchAnnotation = (id: string): ServiceError => noSuchEntity({ noun: 'Annotation' }, id);

/** Throws unless the text fits, and the part can be shown. */
export function checkContent(content: Region & { readonly text: string | null }, place: string): void {
  const { text } = content;
  if (text !== null && text.length > maxText)
    throw badValue(`${place}/text`, `at most ${maxText} characters`, String(text.length));
  checkRegion(content, place);
}

const mention = /(?<![\p{L}\p{N}_.@-])@([\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,254})/gu;

/** Names that a text may mention, as `@ann`. A point or a hyphen at the end may be of the sentence. */
export function namesIn(text: string | null): readonly string[] {
  const names = new Set<string>();
  for (const [, name = ''] of (text ?? '').matchAll(mention)) {
    names.add(name);
    names.add(name.replace(/[.@+-]+$/, ''));
    if (names.size >= maxMentions) break;
  }
  return [...names].slice(0, maxMentions);
}

/** A text with the users whom it mentions by their real names. */
export const withNames = (text: string, realNames: ReadonlyMap<string, string>): string =>
  text.replace(mention, (whole, name: string) => {
    const [user = ''] = /^.*[^.@+-]/.exec(name) ?? [];
    const realName = realNames.get(name) ?? realNames.get(user);
    return realName === undefined ? whole : `@${realName}${realNames.has(name) ? '' : name.slice(user.length)}`;
  });

const tell = (
  word: 'create' | 'modify' | 'delete',
  row: AnnotationRow,
  names: readonly string[] = [],
  assignedBefore: string | null = row.assignee,
) =>
  reviewEvent(`annotation/${word}`, row.itemId, {
    itemId: row.itemId,
    annotationId: row.id,
    author: row.user,
    state: row.state,
    ...(row.parent !== null && { parent: row.parent }),
    ...(row.assignee !== null && { assignedTo: row.assignee }),
    ...(row.assignee !== null && row.assignee !== assignedBefore && { assigned: row.assignee }),
    ...(names.length > 0 && { mention: names }),
  });

/** Guards: the annotation that is replied to is still there. */
const parentStands = ({ parent }: AnnotationRow) =>
  parent === null ? [] : [annotationMustExist(parent, noSuchAnnotation(parent))];

const wordsOf = ({ serial, text }: AnnotationRow) => writeAnnotationWords({ serial, words: indexedWords(text ?? '') });

export function create(row: AnnotationRow, mentioned: readonly string[]): CommitPlan {
  const { itemId } = row;
  const full = new ServiceError('bad-value', {
    context: 'path',
    id: itemId,
    explanation: `Expected fewer than ${maxAnnotations} annotations of the item`,
  });
  return {
    changes: [
      annotationsFit({ itemId, max: maxAnnotations }, full),
      ...parentStands(row),
      insertAnnotation(row),
      wordsOf(row),
    ],
    events: [tell('create', row, mentioned, null)],
  };
}

/** `before`: as the decision found it. */
export function change(before: AnnotationRow, row: AnnotationRow, mentioned: readonly string[]): CommitPlan {
  const { id, version } = before;
  const changed = changedMeanwhile('Annotation', id);
  const joins = row.parent !== null && row.parent !== before.parent;
  const isReplied = badValue('parent', 'none, since the annotation has replies itself', row.parent ?? '');
  return {
    changes: [
      annotationMustExist(id, noSuchAnnotation(id)),
      annotationUnchanged(id, version, changed),
      ...parentStands(row),
      ...(joins ? [hasNoReply({ id }, isReplied)] : []),
      updateAnnotation({ ...row, version: version + 1 }),
      ...(row.text === before.text ? [] : [wordsOf(row)]),
    ],
    events: [tell('modify', row, mentioned, before.assignee)],
  };
}

/** Deletes an annotation with its replies. `by`: whose replies may go, '' for none. Undefined: those of everybody. */
export function remove(row: AnnotationRow, by: string | undefined): CommitPlan {
  const { id } = row;
  const explanation = 'Expected replies of the author alone, or WRITE on the item: the replies are deleted, too';
  const isReplied =
    by === ''
      ? new GuestRefusal('not-allowed', { explanation: 'Expected a comment without replies' })
      : new ServiceError('not-allowed', { context: 'access', id, explanation });
  return {
    changes: [
      annotationMustExist(id, noSuchAnnotation(id)),
      ...(by === undefined ? [] : [repliesAreOf({ id, userId: by }, isReplied)]),
      deleteAnnotations({ id }),
    ],
    events: [tell('delete', row)],
  };
}
