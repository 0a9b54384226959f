/** Characters of private use: the API puts them around hits, and no text of a person has them. */
export const markBegin = '\ue000';
export const markEnd = '\ue001';

export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** The parts of a text with marks. Marks without their counterpart are dropped. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let hit = false;
  let part = '';
  const close = () => {
    if (part !== '') parts.push({ text: part, hit });
    part = '';
  };
  for (const character of text) {
    if (character === markBegin || character === markEnd) {
      close();
      hit = character === markBegin;
    } else part += character;
  }
  // Without its end, a mark would colour the rest of the text.
  if (hit) hit = false;
  close();
  return parts;
}
