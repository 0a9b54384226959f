import { longest } from '../docs/plain-words.ts';

const blocks = /^\s*\/\*\*?([\s\S]*?)\*\//gm;
const lineComments = /(?:^\s*\/\/.*\n)+/gm;
const titles =
  /(?:\b(?:it|test|describe|describeMatrix)(?:\.\w+|\([^()]*\))*\(\s*|\bname: )(['"`])((?:\\.|(?!\1).)*)\1/g;

/** Sentences that are too long, each by how it begins. A colon and a semicolon end a thought, too. */
export function longSentences(path: string, text: string): readonly string[] {
  const comments = [
    ...[...text.matchAll(blocks)].map((match) => match[1]!.replace(/\n\s*\*/g, '\n')),
    ...[...text.matchAll(lineComments)].map(([found]) => found.replace(/^\s*\/\//gm, '')),
  ]
    // A drawing or a table is no sentence.
    .flatMap((comment) => comment.split(/\n\s*\n/))
    .filter((paragraph) => !/\S {3,}\S/.test(paragraph));
  const sentences = comments.flatMap((comment) => comment.replace(/`[^`]*`/g, 'code').split(/(?<=[.!?:;])\s+/));
  const named = path.startsWith('test/') ? [...text.matchAll(titles)].map((match) => match[2]!) : [];
  return [...sentences, ...named].filter((each) => wordsOf(each) > longest).map((each) => each.trim().slice(0, 60));
}

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const pronoun = /^(?:What|Those|One|Of|Its|They|It|This|That|These|Who|Which|Others|Both|Whose)\b/;

/** Comments that begin with a pronoun, and so say nothing without the code below. */
export function pronounsFirst(text: string): readonly string[] {
  const blockComments = [...text.matchAll(blocks)].map(([, comment]) => comment!.replace(/^[\s*]+/, ''));
  const lines = [...text.matchAll(lineComments)].map(([comment]) => comment.replace(/^\s*\/\/\s*/, ''));
  return [...blockComments, ...lines]
    .filter((comment) => pronoun.test(comment))
    .map((comment) => comment.slice(0, 60).split('\n', 1)[0]!);
}
