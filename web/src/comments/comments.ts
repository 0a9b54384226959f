import { secondsOf } from '../player/frames.ts';
import { shareAt, type View } from '../player/scale.ts';

/** A comment as lists and marks show it, whether members or guests ask. */
export interface Comment {
  readonly id: string;
  readonly parent?: string | undefined;
  /** Time codes of the API. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly rectangle?: string | undefined;
  readonly drawing?: string | undefined;
  readonly text?: string | undefined;
  readonly state?: 'open' | 'done' | undefined;
  /** Name of the author, in words. */
  readonly author: string;
  readonly assignedTo?: string | undefined;
  readonly created?: string | number | undefined;
  readonly version?: number | undefined;
}

/** A comment with the replies to it. */
export interface Thread {
  readonly comment: Comment;
  readonly replies: readonly Comment[];
}

/** Seconds at which a comment begins and ends. Undefined: it is about all of the item. */
export function timesOf({
  start,
  end,
}: Pick<Comment, 'start' | 'end'>): readonly [from: number, to: number] | undefined {
  if (start === undefined) return undefined;
  const from = secondsOf(start, 0);
  return [from, Math.max(from, secondsOf(end, from))];
}

/** Comments by their time, those on all of the item first. A reply without its comment stands by itself. */
export function threadsOf(all: readonly Comment[]): readonly Thread[] {
  const replies = new Map(all.map(({ id }) => [id, [] as Comment[]]));
  const comments = all.filter((each) => {
    const above = each.parent === undefined ? undefined : replies.get(each.parent);
    above?.push(each);
    return above === undefined;
  });
  return comments
    .map((comment) => ({ comment, begin: timesOf(comment)?.[0] ?? -1 }))
    .toSorted((one, other) => one.begin - other.begin)
    .map(({ comment }) => ({ comment, replies: replies.get(comment.id) ?? [] }));
}

/** Comments at one place of the timeline. */
interface TimeMark {
  /** Where of the view, from 0 to 1. */
  readonly share: number;
  readonly seconds: number;
  readonly comments: readonly Comment[];
}

/** Share of the view in which comments have one mark. */
const near = 0.03;

/** Marks of comments with a time in the view. `threads` are by time. */
export function marksOf(threads: readonly Thread[], view: View): readonly TimeMark[] {
  const marks: { share: number; seconds: number; comments: Comment[] }[] = [];
  for (const { comment } of threads) {
    const seconds = timesOf(comment)?.[0];
    if (seconds === undefined || seconds < view.from || seconds > view.to) continue;
    const share = shareAt(view, seconds);
    const last = marks.at(-1);
    if (last && share - last.share < near) last.comments.push(comment);
    else marks.push({ share, seconds, comments: [comment] });
  }
  return marks;
}

/** Part of a picture, in percent of it. */
export interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Part of the picture that a comment marks. Undefined: none. */
export function partOf(rectangle: string | undefined, picture: Size): Part | undefined {
  const [, unit, numbers = ''] = /^(percent|pixel):([\d.,]+)$/.exec(rectangle ?? '') ?? [];
  const [left = 0, top = 0, width = 0, height = 0] = numbers.split(',').map(Number);
  if (unit === undefined) return undefined;
  const [across, down] = unit === 'percent' ? [1, 1] : [100 / picture.width, 100 / picture.height];
  return { left: left * across, top: top * down, width: width * across, height: height * down };
}

const percent = (value: number): string => String(Number(value.toFixed(2)));

/** Form of the rectangle in the API. */
export const rectangleOf = ({ left, top, width, height }: Part): string =>
  `percent:${[left, top, width, height].map(percent).join()}`;

const within = (value: number, least: number, max: number): number => Math.min(max, Math.max(least, value));

/** Percent of the picture. */
const smallest = 1;

/** A part that lies in the picture, and is not smaller than a pointer can mean. */
export function fitted({ left, top, width, height }: Part): Part {
  const size = { width: within(width, smallest, 100), height: within(height, smallest, 100) };
  return { left: within(left, 0, 100 - size.width), top: within(top, 0, 100 - size.height), ...size };
}

/** Where a picture lies in a box that it fills in one direction. */
export function pictureIn(box: Size, picture: Size): Part {
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height };
}

/** Text between an `@` that begins a mention and the caret. Undefined: no mention. */
export const mentionAt = (text: string, caret: number): string | undefined =>
  /(?<![\p{L}\p{N}_.@-])@([\p{L}\p{N}_.@+-]*)$/u.exec(text.slice(0, caret))?.[1];

/** A name that a text mentions. A point or a hyphen at the end is of the sentence. */
const mention = /(?<![\p{L}\p{N}_.@-])@([\p{L}\p{N}_](?:[\p{L}\p{N}_.@+-]*[\p{L}\p{N}_])?)/gu;

export const mentionsIn = (text = ''): readonly string[] => Array.from(text.matchAll(mention), ([, name = '']) => name);

/** A text with the people whom it mentions by their names. */
export const withNames = (text = '', nameOf = (user: string) => user): string =>
  text.replace(mention, (_whole, user: string) => `@${nameOf(user)}`);
