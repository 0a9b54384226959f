import { expect, it } from 'vitest';
import { tagWords } from '../../../src/assets/shapes/download-name.ts';
import texts from '../../../web/src/texts/en/common.json' with { type: 'json' };

it('formats have the same words in names of files as in the web page', () => {
  const words = Object.entries(texts).flatMap(([key, text]) =>
    key.startsWith('media.tag.') ? [[key.slice('media.tag.'.length), text]] : [],
  );
  expect({ original: 'Original', ...tagWords }).toEqual(Object.fromEntries(words));
});
