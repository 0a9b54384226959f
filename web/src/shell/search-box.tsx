import type { AutocompleteResponseType } from 'portico/types';
import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { me } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { readSearch, writeSearch } from '../pages/library/search.ts';
import { recentItems } from '../recent.ts';
import { hasResults, navigate, path, query } from '../router.tsx';
import { t } from '../texts/index.ts';

const pauseMs = 180;
const max = 8;

/** The last word is completed; what stands before it stays. */
function completed(text: string, word: string): string {
  return `${text.replace(/\S*$/, '')}${word}`;
}

function lastWord(text: string): string {
  return /[\p{L}\p{N}]+$/u.exec(text)?.[0] ?? '';
}

interface Suggestion {
  readonly key: string;
  readonly text: string;
  readonly take: () => void;
}

/** The search at the top of every page: results follow after a pause in typing, words are completed. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [words, setWords] = useState<readonly string[]>([]);
  const [isEmptyOpen, openEmpty] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const pendingRequest = useRef<AbortController | undefined>(undefined);
  /** Whether the entry of the history is of the text that is being typed. */
  const isTyping = useRef(false);

  // The address is the source: back, a chip or a link may change the text.
  const addressText = hasResults(path.value) ? (query.value['q'] ?? '') : '';
  const typed = useRef('');
  useEffect(() => {
    if (addressText !== typed.current) {
      typed.current = addressText;
      setText(addressText);
    }
  }, [addressText]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(value: string): void {
    clearTimeout(timer.current);
    typed.current = value;
    const isHere = hasResults(path.peek());
    // From pages without results the search leads to the library.
    const base = isHere ? path.peek() : '/';
    const before = readSearch(new URLSearchParams(isHere ? location.search : ''));
    const next = writeSearch({ ...before, text: value });
    // Letters that are typed in one go make one entry in the history. A query that was left stays: back brings it again.
    const replace = isHere && isTyping.current && before.text !== '' && value.trim() !== '';
    isTyping.current = true;
    navigate(`${base}${[...next].length > 0 ? `?${next}` : ''}`, { replace });
  }

  async function suggest(value: string): Promise<void> {
    pendingRequest.current?.abort();
    const word = lastWord(value);
    if (word.length < 2) return setWords([]);
    const running = new AbortController();
    pendingRequest.current = running;
    const body = { text: word, maximumSuggestions: max };
    const answer = await send<AutocompleteResponseType>('PUT', '/search/autocomplete', body, {
      signal: running.signal,
    }).catch(() => undefined);
    if (!running.signal.aborted) setWords((answer?.suggestion ?? []).filter((each) => each !== word).slice(0, max));
  }

  function changed(value: string): void {
    setText(value);
    setAt(-1);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      search(value);
      void suggest(value);
    }, pauseMs);
  }

  function take(word: string): void {
    const value = completed(text, word);
    setText(value);
    setWords([]);
    search(value);
    input.current?.focus();
  }

  const close = () => {
    setWords([]);
    openEmpty(false);
    setAt(-1);
  };
  // An empty field proposes what was opened last, and another one completes its last word.
  const isRecent = text === '' && isEmptyOpen;
  const suggestions: readonly Suggestion[] = isRecent
    ? recentItems(me.value?.userName).map(({ id, title }) => ({
        ...{ key: id, text: title },
        take: () => {
          close();
          navigate(`/item/${id}`);
        },
      }))
    : words.map((word) => ({ key: word, text: completed(text, word), take: () => take(word) }));
  const isOpen = suggestions.length > 0;
  const listName = t(isRecent ? 'shell.recent' : 'shell.suggestions');

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' && isOpen) setAt((at + 1) % suggestions.length);
    else if (event.key === 'ArrowUp' && isOpen) setAt(at <= 0 ? suggestions.length - 1 : at - 1);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Escape' && text !== '') {
      setText('');
      search('');
    } else if (event.key === 'Enter') {
      pendingRequest.current?.abort();
      if (suggestions[at]) suggestions[at].take();
      else {
        close();
        search(text);
        isTyping.current = false;
      }
    } else if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('[role=grid]')?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        id="search"
        type="text"
        enterkeyhint="search"
        role="combobox"
        aria-label={t('shell.search')}
        aria-expanded={isOpen}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={at < 0 ? undefined : `suggestion-${at}`}
        placeholder={t('shell.searchHint')}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => changed(event.currentTarget.value)}
        onKeyDown={pressed}
        onFocus={() => openEmpty(true)}
        onBlur={() => {
          isTyping.current = false;
          close();
        }}
      />
      {text === '' ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <IconButton
          icon="x"
          label={t('shell.clearSearch')}
          onClick={() => {
            setText('');
            search('');
            input.current?.focus();
          }}
        />
      )}
      <div
        id="suggestions"
        role="listbox"
        aria-label={listName}
        data-title={isRecent ? listName : undefined}
        hidden={!isOpen}
      >
        {suggestions.map((each, index) => (
          <div
            key={each.key}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === at}
            // The press must not take the focus from the field before the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={each.take}
          >
            {each.text}
          </div>
        ))}
      </div>
    </search>
  );
}
