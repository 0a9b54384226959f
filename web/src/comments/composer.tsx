import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../components/button.tsx';
import { Check, Growing } from '../components/field.tsx';
import { useKeys } from '../keys.ts';
import { rangeText } from '../player/frames.ts';
import { numberText, t } from '../texts/index.ts';
import { mentionAt, mentionsIn } from './comments.ts';
import { type Desk, maxText, type Person } from './desk.ts';
import { calls } from './list.tsx';
import './comments.css';

const wordsOf = ({ name, realName }: Person): string => (realName ? `${realName} (${name})` : name);

const notesOf = {
  pen: ['comments.drawNote', 'comments.drawKeysNote'],
  box: ['comments.partNote', 'comments.partKeysNote'],
} as const;

/** Takes a comment: its time, its text, and what is drawn for it. */
export function Composer({ desk }: { readonly desk: Desk }) {
  const { api, draft, engine, hasPicture, tool } = desk;
  const { text, parent, edits, part, sketch, isAssigned = false } = draft.value;
  const field = useRef<HTMLTextAreaElement>(null);
  /** Whether the text had the focus when something was pressed. */
  const writes = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const people = usePeople(desk, field);
  // Runs at once, where `useSignalEffect` waits for a frame: the next key is of the text already.
  useLayoutEffect(
    () =>
      effect(() => {
        if (!desk.isAsked.value) return;
        field.current?.focus({ preventScroll: true });
        desk.isAsked.value = false;
      }),
    [desk],
  );
  const send = async () => {
    if (!desk.canSend.peek() || isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await desk.send(isAssigned ? assignee?.name : undefined);
      people.close();
      // Controls that a phone hides beside its keyboard come back before the next tap, and not below it.
      if (matchMedia('(hover: none) and (pointer: coarse)').matches) field.current?.blur();
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };
  if (!api.send) return null;
  const about = (id: string | undefined) =>
    id === undefined
      ? undefined
      : desk.threads.value
          ?.flatMap(({ comment, replies }) => [comment, ...replies])
          .find((comment) => comment.id === id);
  const before = about(edits)?.assignedTo;
  const assignee: Person | undefined = people.mentioned ?? (before === undefined ? undefined : { name: before });
  const notes = tool.value ? notesOf[tool.value] : [];
  const isOther = parent !== undefined || edits !== undefined;
  const excess = text.trim().length - maxText;
  return (
    <form
      class="composer"
      data-open={isOther || desk.canSend.value || tool.value !== undefined || undefined}
      aria-label={t('comments.comment')}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onMouseDown={(event) => {
        // The text keeps the focus: what a phone hides beside its keyboard would come back below the finger.
        writes.current = document.activeElement === field.current;
        if ((event.target as Element).closest('button, label')) event.preventDefault();
      }}
      onKeyDown={(event) => {
        // The draft stays. What is drawn ends first.
        if (event.key === 'Escape' && !tool.value) field.current?.blur();
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation();
        void send();
      }}
    >
      {isOther && (
        <span class="chip">
          <span class="cut">
            {edits === undefined
              ? t('comments.replyTo', { name: calls(api, about(parent)?.author ?? '') })
              : t('comments.editing')}
          </span>
          <IconButton icon="x" label={t('word.cancel')} onClick={desk.cancel} />
        </span>
      )}
      {assignee && (
        <Check
          label={t('comments.assign', { name: wordsOf(assignee) })}
          checked={isAssigned}
          onChange={() => {
            desk.change({ isAssigned: !isAssigned });
            // A click on the label has moved the focus to the tick.
            if (writes.current) field.current?.focus();
          }}
        />
      )}
      {(tool.value || part || sketch?.lines[0]) && (
        <div class="row drawn">
          <p class="muted small grow">
            {notes.map((key, at) => (
              <span key={key} class={at > 0 ? 'of-keys' : undefined}>
                {t(key)}{' '}
              </span>
            ))}
          </p>
          <IconButton
            icon="back"
            label={t('comments.undo')}
            disabled={!sketch?.lines[0]}
            onClick={() => desk.change({ sketch: { ...sketch!, lines: sketch!.lines.slice(0, -1) } })}
          />
          <IconButton
            icon="trash"
            label={t('comments.undraw')}
            disabled={!part && !sketch?.lines[0]}
            onClick={() => desk.change({ part: undefined, sketch: undefined })}
          />
        </div>
      )}
      {refusal !== undefined && (
        <p class="wrong" role="alert">
          {api.explain(refusal)}
        </p>
      )}
      {excess > 0 && (
        <p class="wrong" role="status">
          {t('comments.tooLong', { excess: numberText(excess), max: numberText(maxText) })}
        </p>
      )}
      <div class="write">
        <Growing
          field={field}
          class="input"
          rows={1}
          aria-label={t('comments.text')}
          placeholder={t(api.people ? 'comments.write' : 'comments.text')}
          value={text}
          {...(people.attributes as object)}
          onInput={({ currentTarget }) => {
            desk.change({ text: currentTarget.value });
            people.look();
          }}
        />
        {people.list}
      </div>
      {/* At the foot, where tools stay below the pointer while the text above them grows. */}
      <div class="row wrap about">
        {!isOther && engine && <When desk={desk} />}
        {parent === undefined && hasPicture && (
          <>
            <Button kind="quiet" aria-pressed={tool.value === 'pen'} onClick={() => desk.take('pen')}>
              {t('comments.draw')}
            </Button>
            <Button kind="quiet" aria-pressed={tool.value === 'box'} onClick={() => desk.take('box')}>
              {t('comments.box')}
            </Button>
          </>
        )}
        <span class="hint" aria-hidden="true">
          {text !== '' && <kbd>Ctrl+Enter</kbd>}
        </span>
        <Button kind="main" type="submit" title="Ctrl+Enter" disabled={isBusy || !desk.canSend.value}>
          {t(edits === undefined ? 'comments.send' : 'word.save')}
        </Button>
      </div>
    </form>
  );
}

/** Keys of comments. `show`: makes the composer seen. */
export function useCommentKeys(desk: Desk | undefined, show: () => void): void {
  const writes = desk?.api.send !== undefined;
  const draws = writes && desk.hasPicture;
  useKeys(
    {
      ...(desk?.tool.value && { Escape: () => desk.take(desk.tool.peek()!) }),
      ...(writes && {
        c: () => {
          show();
          desk.write();
          // The text is behind a picture that fills the screen.
          if (document.fullscreenElement) void document.exitFullscreen().then(() => desk.write());
        },
      }),
      ...(draws && {
        d: () => {
          show();
          desk.take('pen');
        },
      }),
    },
    {
      ...(writes && { c: t('comments.keyWrite'), 'Ctrl+Enter': t('comments.keySend') }),
      ...(draws && { d: t('comments.keyDraw') }),
    },
  );
}

/** The time that the comment is about. It follows the film until something is typed. */
function When({ desk: { engine, about, change } }: { readonly desk: Desk }) {
  if (!engine) return null;
  const { counting } = engine;
  if (!about.value)
    return (
      <Button kind="quiet" icon="plus" onClick={() => change({ frame: engine.frame.peek() })}>
        {t('comments.at', { time: engine.timecode.value })}
      </Button>
    );
  const { from, to } = about.value;
  const time = rangeText(from, to, counting);
  return (
    <span class="chip">
      <button type="button" class="mono" title={t('comments.goTo')} onClick={() => engine.goTo(from)}>
        {to > from + 1 ? time : t('comments.at', { time })}
      </button>
      <IconButton icon="x" label={t('comments.untimed')} onClick={() => change({ frame: null, to: undefined })} />
    </span>
  );
}

/** People whom `@` completes, and the first one whom the text mentions. */
function usePeople({ api, draft, change }: Desk, field: { readonly current: HTMLTextAreaElement | null }) {
  const cache = useRef(new Map<string, Promise<readonly Person[]>>());
  const [open, setOpen] = useState<{ readonly people: readonly Person[]; readonly at: number }>();
  const [mentioned, setMentioned] = useState<Person>();
  const newest = useRef('');
  const [name = ''] = mentionsIn(draft.value.text);
  const ask = (typed: string): Promise<readonly Person[]> => {
    const key = typed.toLowerCase();
    let answer = cache.current.get(key);
    if (!answer) {
      // Nobody is offered where the service refuses.
      answer = api.people ? api.people(typed, new AbortController().signal).catch(() => []) : Promise.resolve([]);
      cache.current.set(key, answer);
    }
    return answer;
  };
  useEffect(() => {
    let isOver = false;
    if (name === '') setMentioned(undefined);
    else void ask(name).then((people) => isOver || setMentioned(people.find((person) => person.name === name)));
    return () => {
      isOver = true;
    };
  }, [name]);
  const typedNow = () => mentionAt(field.current?.value ?? '', field.current?.selectionStart ?? 0);
  const look = () => {
    const typed = typedNow();
    newest.current = typed ?? '';
    if (typed === undefined) setOpen(undefined);
    else
      void ask(typed).then((people) => {
        if (newest.current === typed && typedNow() === typed)
          // A whole name leaves nothing to choose.
          setOpen(people.some(({ name: each }) => each !== typed) ? { people, at: 0 } : undefined);
      });
  };
  const choose = (person: Person) => {
    const area = field.current!;
    const caret = area.selectionStart;
    const begin = caret - (mentionAt(area.value, caret) ?? '').length;
    const before = `${area.value.slice(0, begin)}${person.name}`;
    change({ text: before + area.value.slice(caret) });
    setOpen(undefined);
    area.focus();
    // The caret stands behind the name when the new text is drawn.
    requestAnimationFrame(() => area.setSelectionRange(before.length, before.length));
  };
  const keys = (event: KeyboardEvent) => {
    if (!open || event.ctrlKey || event.metaKey) return;
    const { people, at } = open;
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const next = steps[event.key];
    if (next !== undefined) setOpen({ people, at: (next + people.length) % people.length });
    else if (event.key === 'Enter' || event.key === 'Tab') choose(people[at]!);
    else if (event.key === 'Escape') setOpen(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    mentioned,
    look,
    close: () => setOpen(undefined),
    attributes: api.people && {
      role: 'combobox' as const,
      'aria-autocomplete': 'list' as const,
      'aria-expanded': open !== undefined,
      'aria-controls': 'mentions',
      'aria-activedescendant': open && `mention-${open.at}`,
      onKeyDown: keys,
      onBlur: () => setOpen(undefined),
    },
    list: open && (
      <div class="mentions" role="listbox" id="mentions" aria-label={t('comments.people')}>
        {open.people.map((person, at) => (
          <div
            key={person.name}
            id={`mention-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === open.at}
            // A press would take the focus from the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(person)}
          >
            {wordsOf(person)}
          </div>
        ))}
      </div>
    ),
  };
}
