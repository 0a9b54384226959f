import { type Description, uriListDocument } from '../core/documents/index.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Call } from './call.ts';
import type { AnswerForm, Raw } from './forms.ts';
import { documentOrText, documentTypes, type MediaType, textOnly } from './negotiation.ts';
import { renderList, renderWhole } from './render-list.ts';
import { linesOf, plain, type Reply } from './reply.ts';

/** Answer of a route: its formats, and how the value of the handler becomes one of them. */
export interface Answer<T = never> {
  readonly kind: 'answer';
  readonly forms: readonly AnswerForm[];
  readonly types: readonly MediaType[];
  reply(value: T, call: Call): Maybe<Reply>;
}

/** Words of `answers`. A description alone is a document, `text` a text. Undefined: answers have no body. */
export type AnswersOption = Description | 'text' | Answer | Raw | undefined;

/** Type that a handler returns by what its route answers. */
export type AnswerValue<A> =
  A extends Answer<infer T>
    ? T
    : A extends Raw
      ? Reply
      : A extends Description<infer T>
        ? T
        : A extends 'text'
          ? string
          : void;

/** Fields of a document that are lists. */
type ListsOf<T> = { [K in keyof T]-?: NonNullable<T[K]> extends readonly unknown[] ? K : never }[keyof T];

interface AnswerOptions<T> {
  /** Field of the document with a long list, which is written in slices. */
  readonly list?: ListsOf<T>;
  /** The document as plain text, in routes that also answer text. */
  readonly text?: (value: T, call: Call) => string;
}

/** A document with a long list, or one that is answered as plain text, too. */
export function answer<T>(document: Description<T>, { list, text }: AnswerOptions<T>): Answer<T> {
  const sliced = list && (document as Description<unknown> as Description<Lists>);
  return {
    kind: 'answer',
    forms: text ? [document, 'text'] : [document],
    types: text ? documentOrText : documentTypes,
    reply(value, call) {
      const { render, type } = call;
      if (text && type === 'text/plain') return plain(text(value, call));
      return sliced
        ? renderList(render, type, sliced, value as Lists, String(list))
        : renderWhole(render, type, document, value);
    },
  };
}

type Lists = Readonly<Record<string, readonly unknown[] | undefined>>;

/** Ids or addresses with their total. */
export const uriPage = answer(uriListDocument, {
  list: 'uri',
  text: ({ uri = [] }) => linesOf(uri.map((each) => [each])),
});

/** Ids or addresses: as a document, or one per line in plain text. */
export const uris: Answer<readonly string[]> = { ...uriPage, reply: (uri, call) => uriPage.reply({ uri }, call) };

/** Ids or addresses, for lists that clients know as an empty document where nothing is in them. */
export const urisIfAny: Answer<readonly string[]> = {
  ...uriPage,
  reply: (uri, call) => uriPage.reply(uri.length > 0 ? { uri } : {}, call),
};

const text: Answer<string> = { kind: 'answer', forms: ['text'], types: textOnly, reply: plain };

/** The words of an answer in one form. The handler of a raw one makes its `Reply`. */
export function answerOf(option: AnswersOption, status: number): Answer<unknown> {
  if (option === undefined) return { kind: 'answer', forms: [], types: [], reply: () => ({ status }) };
  if (option === 'text') return text as Answer<unknown>;
  if (option.kind === 'answer') return option as Answer<unknown>;
  if (option.kind === 'document') return answer(option, {}) as Answer<unknown>;
  const { forms, types = typesOf(forms) } = option;
  return { kind: 'answer', forms, types, reply: (reply) => reply as Reply };
}

/** Media types of formats, in their order. */
function typesOf(forms: readonly AnswerForm[]): readonly MediaType[] {
  const types = forms.flatMap((form) => (form === 'text' ? textOnly : typeof form === 'string' ? [] : documentTypes));
  return [...new Set(types)];
}
