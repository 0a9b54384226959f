import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Engine } from '../player/engine.ts';
import { codeOf, frameAt } from '../player/frames.ts';
import { type Comment, partOf, rectangleOf, type Thread, threadsOf, timesOf } from './comments.ts';
import { type Draft, keepDraft, keptDraft } from './drafts.ts';
import { sketchOf, svgOf } from './drawing.tsx';

/** A person whom a text may mention. */
export interface Person {
  readonly name: string;
  readonly realName?: string | undefined;
}

/** Fields of a comment that are sent. */
export interface Content {
  readonly text: string;
  readonly parent?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly rectangle?: string | undefined;
  readonly drawing?: string | undefined;
  readonly assignedTo?: string | undefined;
}

/** How comments of one item are read and written. Members and guests have one each; what is left out is not offered. */
export interface CommentsApi {
  /** A page of the comments from a number on, the oldest first. `hits`: comments of all pages. */
  readonly read: (
    first: number,
    reading: AbortSignal,
  ) => Promise<{ readonly comments: readonly Comment[]; readonly hits: number }>;
  readonly send?: ((content: Content) => Promise<{ readonly id?: string | undefined }>) | undefined;
  /** Changes a comment. What is left out stays, and what is empty is taken away. */
  readonly edit?: ((id: string, content: Omit<Content, 'parent' | 'start' | 'end'>) => Promise<unknown>) | undefined;
  readonly mayEdit?: ((comment: Comment) => boolean) | undefined;
  /** Sets a comment done, or opens it again. */
  readonly finish?: ((comment: Comment, isDone: boolean) => Promise<unknown>) | undefined;
  readonly mayFinish?: ((comment: Comment) => boolean) | undefined;
  /** Asks the person, and removes a comment, or says why it stays. */
  readonly remove?: ((comment: Comment, thread: Thread) => void) | undefined;
  readonly mayRemove?: ((comment: Comment) => boolean) | undefined;
  /** Whether a comment is of the person, for the person, or names the person. */
  readonly isMine?: ((comment: Comment) => boolean) | undefined;
  readonly people?: ((text: string, reading: AbortSignal) => Promise<readonly Person[]>) | undefined;
  /** Name of a user for people. Without it: as the comment says. */
  readonly nameOf?: ((user: string) => string) | undefined;
  /** Name of the version that a comment is about, where a later one is there. */
  readonly versionOf?: ((comment: Comment) => string | undefined) | undefined;
  /** Words for a refusal. */
  readonly explain: (error: unknown) => string;
}

const empty: Draft = { text: '' };
const isDrawn = ({ sketch }: Draft): boolean => (sketch?.lines.length ?? 0) > 0;
const isEmpty = (draft: Draft): boolean => draft.text.trim() === '' && !draft.part && !isDrawn(draft);
const isOfAnother = ({ parent, edits }: Draft): boolean => parent !== undefined || edits !== undefined;

/** Marked part and drawing of a comment, as far as this page can change them. */
export const drawnOf = ({
  rectangle,
  drawing,
}: Pick<Comment, 'rectangle' | 'drawing'>): Pick<Draft, 'part' | 'sketch'> => ({
  part: rectangle?.startsWith('percent:') ? partOf(rectangle, { width: 1, height: 1 }) : undefined,
  sketch: sketchOf(drawing),
});

/** Marked part and drawing of a draft, in the forms of the API. */
const marksOf = ({ part, sketch }: Pick<Draft, 'part' | 'sketch'>): Pick<Content, 'rectangle' | 'drawing'> => ({
  rectangle: part && rectangleOf(part),
  drawing: sketch && sketch.lines.length > 0 ? svgOf(sketch) : undefined,
});

const changed = (next: string | undefined, before: string | undefined): string | undefined =>
  next === before ? undefined : (next ?? '');

/** Characters of a text. */
export const maxText = 4000;

export type Filter = 'open' | 'done' | 'mine';

const fits: Readonly<Record<Filter, (thread: Thread, isMine: (comment: Comment) => boolean) => boolean>> = {
  open: ({ comment }) => comment.state !== 'done',
  done: ({ comment }) => comment.state === 'done',
  mine: ({ comment, replies }, isMine) => isMine(comment) || replies.some(isMine),
};

/** Everything that the list, the composer, the marks and the picture have in common. */
export interface Desk {
  readonly api: CommentsApi;
  /** Undefined: nothing is played. */
  readonly engine: Engine | undefined;
  readonly hasPicture: boolean;
  /** Undefined: not read yet. */
  readonly threads: ReadonlySignal<readonly Thread[] | undefined>;
  /** Threads that the filter lets through. */
  readonly shown: ReadonlySignal<readonly Thread[] | undefined>;
  /** Comment that was asked for last. */
  readonly chosen: ReadonlySignal<{ readonly id: string } | undefined>;
  /** Ids of the comments about the frame that is seen. */
  readonly nowIds: ReadonlySignal<string>;
  readonly openCount: ReadonlySignal<number>;
  /** Whether the threads are those of all comments, and not of the first page alone. */
  readonly isWhole: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<unknown>;
  readonly filter: Signal<Filter>;
  readonly draft: ReadonlySignal<Draft>;
  /** Tool that draws on the picture. */
  readonly tool: ReadonlySignal<'pen' | 'box' | undefined>;
  /** Frames that the draft is about, the marked part if there is one. `to`: the first one behind them. */
  readonly about: ReadonlySignal<{ readonly from: number; readonly to: number } | undefined>;
  /** Whether the picture that the draft is about is seen. */
  readonly isSeen: ReadonlySignal<boolean>;
  readonly canSend: ReadonlySignal<boolean>;
  /** Whether the composer is to take the focus. */
  readonly isAsked: Signal<boolean>;
  reload(): Promise<void>;
  /** Changes the draft. What begins one pauses the film and keeps its frame. */
  change(changes: Partial<Draft>): void;
  take(tool: 'pen' | 'box'): void;
  write(parent?: string): void;
  /** Begins to change a comment. What was typed comes back afterwards. */
  edit(comment: Comment): void;
  /** Ends a reply or a change that is not sent. */
  cancel(): void;
  /** Goes to the time of a comment, and shows it in the list. */
  show(comment: Comment): void;
  /** `assignedTo`: who is to act. */
  send(assignedTo?: string): Promise<void>;
}

interface DeskParts {
  readonly api: CommentsApi;
  readonly engine: Engine | undefined;
  readonly hasPicture: boolean;
  /** Author of the draft, and the item of the draft. */
  readonly person: string;
  readonly item: string;
  readonly now?: () => number;
}

/** Frames that a comment is about. `to`: the first one behind them. */
function framesOf(comment: Comment, { counting: { rate } }: Engine): { from: number; to: number } | undefined {
  const times = timesOf(comment);
  if (!times) return undefined;
  const [from, to] = times.map((seconds) => frameAt(seconds, rate)) as [number, number];
  return { from, to: Math.max(from + 1, to) };
}

export function createDesk({ api, engine, hasPicture, person, item, now = Date.now }: DeskParts): Desk {
  const threads = signal<readonly Thread[] | undefined>(undefined);
  const isWhole = signal(false);
  const refusal = signal<unknown>(undefined);
  const draft = signal<Draft>(keptDraft(person, item, now()) ?? empty);
  const tool = signal<'pen' | 'box' | undefined>(undefined);
  const isAsked = signal(false);
  const chosen = signal<{ readonly id: string } | undefined>(undefined);
  const filter = signal<Filter>('open');
  let aside = empty;
  let reading: AbortController | undefined;

  const keep = (next: Draft) => {
    draft.value = next;
    keepDraft(person, item, isEmpty(next) && !isOfAnother(next) ? undefined : next, now());
  };
  const about = computed(() => {
    const { frame, to, parent } = draft.value;
    if (!engine || frame === null || parent !== undefined) return undefined;
    if (frame !== undefined) return { from: frame, to: to ?? frame + 1 };
    const { from, to: end } = engine.marks.value;
    const now = engine.frame.value;
    return from !== undefined && end !== undefined ? { from, to: end } : { from: now, to: now + 1 };
  });
  /** The frames of now, for what begins without any. A reply has none. */
  const fixed = (next: Draft): Draft => {
    if (next.frame !== undefined || next.parent !== undefined) return next;
    const { from: frame, to } = about.peek() ?? {};
    return { ...next, frame, ...(frame !== undefined && to! > frame + 1 && { to }) };
  };
  /** A draft without content is about whatever is seen. */
  const freed = (next: Draft): Draft =>
    isEmpty(next) && next.frame !== null && next.edits === undefined
      ? { ...next, frame: undefined, to: undefined }
      : next;
  const change = (changes: Partial<Draft>) => {
    const before = draft.peek();
    const next = { ...before, ...changes };
    const begins = isEmpty(before) && !isEmpty(next);
    if (begins && next.parent === undefined) engine?.run('k');
    keep(begins ? fixed(next) : tool.peek() ? next : freed(next));
  };
  const cancel = () => {
    const { edits, text } = draft.peek();
    tool.value = undefined;
    keep(edits === undefined ? { text } : aside);
    aside = empty;
  };
  const reload = async () => {
    reading?.abort();
    const own = new AbortController();
    reading = own;
    try {
      const comments: Comment[] = [];
      for (let hits = 1; comments.length < hits; ) {
        const page = await api.read(comments.length + 1, own.signal);
        if (own.signal.aborted) return;
        comments.push(...page.comments);
        hits = page.comments.length > 0 ? page.hits : 0;
        // The first page is shown before the others. Later readings replace all at once.
        if (threads.peek() === undefined) threads.value = threadsOf(comments);
      }
      batch(() => {
        threads.value = threadsOf(comments);
        isWhole.value = true;
        refusal.value = undefined;
      });
    } catch (error) {
      if (!own.signal.aborted) refusal.value = error;
    }
  };
  const isMine = api.isMine ?? (() => false);
  const shown = computed(() =>
    api.isMine ? threads.value?.filter((thread) => fits[filter.value](thread, isMine)) : threads.value,
  );
  /** Shows a comment in the list, with another filter if need be. */
  const reveal = (id: string) => {
    const isThere = ({ comment }: Thread) => comment.id === id;
    if (!shown.peek()?.some(isThere))
      filter.value = threads.peek()?.find(isThere)?.comment.state === 'done' ? 'done' : 'open';
    chosen.value = { id };
  };
  /** Threads with their frames, so that a film that runs reads no time codes. */
  const framed = computed(
    () => engine && threads.value?.map(({ comment }) => ({ id: comment.id, ...framesOf(comment, engine) })),
  );
  return {
    ...{
      api,
      engine,
      hasPicture,
      threads,
      isWhole,
      refusal,
      draft,
      tool,
      isAsked,
      change,
      reload,
      filter,
      chosen,
      shown,
      about,
      cancel,
    },
    nowIds: computed(() => {
      const frame = engine?.frame.value ?? 0;
      return (framed.value ?? [])
        .filter(({ from = 0, to = 0 }) => from <= frame && frame < to)
        .map(({ id }) => id)
        .join(' ');
    }),
    openCount: computed(() => threads.value?.filter(({ comment }) => comment.state !== 'done').length ?? 0),
    isSeen: computed(() => {
      const { from, to } = about.value ?? {};
      return !engine || from === undefined || (from <= engine.frame.value && engine.frame.value < to!);
    }),
    canSend: computed(() => draft.value.text.trim().length <= maxText && !isEmpty(draft.value)),
    take(next) {
      const taken = tool.peek() === next ? undefined : next;
      const { parent, edits } = draft.peek();
      // A reply has no picture.
      if (parent !== undefined && edits !== undefined) cancel();
      tool.value = taken;
      const { parent: _reply, ...own } = draft.peek();
      if (tool.value === undefined) {
        keep(freed(draft.peek()));
        return;
      }
      engine?.run('k');
      keep(fixed(own));
      // A drawing is about one picture: that of the draft, or else the one that is seen.
      const { from, to } = about.peek() ?? {};
      const now = engine?.frame.peek() ?? 0;
      if (from !== undefined && (now < from || now >= to!)) engine?.goTo(from);
    },
    write(parent) {
      tool.value = undefined;
      if (parent !== undefined) {
        keep({ text: draft.peek().text, parent });
        reveal(parent);
      }
      isAsked.value = true;
    },
    edit(comment) {
      const { id, text = '', parent, assignedTo } = comment;
      if (draft.peek().edits === undefined) aside = draft.peek();
      tool.value = undefined;
      engine?.run('k');
      const { from = null, to } = (engine && framesOf(comment, engine)) ?? {};
      keep({ text, parent, edits: id, isAssigned: assignedTo !== undefined, frame: from, to, ...drawnOf(comment) });
      if (from !== null) engine?.goTo(from);
      isAsked.value = true;
    },
    show(comment) {
      const [from] = timesOf(comment) ?? [];
      if (engine && from !== undefined) engine.goTo(frameAt(from, engine.counting.rate));
      reveal(comment.id);
    },
    async send(assignedTo) {
      const sent = draft.peek();
      const { text, parent, edits } = sent;
      const marks = marksOf(sent);
      if (edits !== undefined) {
        const all = threads.peek()?.flatMap(({ comment, replies }) => [comment, ...replies]) ?? [];
        const before = marksOf(drawnOf(all.find(({ id }) => id === edits) ?? {}));
        await api.edit?.(edits, {
          text: text.trim(),
          assignedTo: assignedTo ?? '',
          rectangle: changed(marks.rectangle, before.rectangle),
          drawing: changed(marks.drawing, before.drawing),
        });
        cancel();
        await reload();
        return;
      }
      const { from, to } = about.peek() ?? {};
      const isPart = from !== undefined && to! > from + 1;
      const created = await api.send?.({
        ...{ text: text.trim(), parent, assignedTo },
        start: engine && from !== undefined ? codeOf(from, engine.counting.rate) : undefined,
        end: engine && isPart ? codeOf(to!, engine.counting.rate) : undefined,
        ...marks,
      });
      tool.value = undefined;
      // Text that was typed meanwhile is of the next comment.
      const typed = draft.peek().text;
      keep({ text: typed.startsWith(text) ? typed.slice(text.length) : typed });
      // The next one is about what is seen then.
      if (engine && isPart) engine.marks.value = {};
      await reload();
      const id = parent ?? created?.id;
      if (id !== undefined) reveal(id);
    },
  };
}
