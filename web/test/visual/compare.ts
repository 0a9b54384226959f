import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { pngFile } from '../../../src/production/transcoding/codecs/png.ts';
import { browserOf } from '../support.ts';

/** Pictures are compared and made smaller by Chromium, in a page of their own. */
async function inBrowser<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const context = await (await browserOf()).newContext({ viewport: { width: 480, height: 160 } });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** The page as it is seen, without the caret, which blinks. A PNG in base64. */
export async function shoot(page: Page): Promise<string> {
  await page.evaluate(() => {
    document.documentElement.style.caretColor = 'transparent';
  });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  await session.detach();
  return data;
}

/** Everything besides the page that the look of a text depends on: the browser and the fonts of the machine. */
export async function machine(): Promise<{ readonly chromium: string; readonly text: string }> {
  const sample = 'The quick brown fox 0123456789 ÅÄÖ åäö → … – “ß”';
  const fonts = ['system-ui, sans-serif', 'ui-monospace, monospace'];
  const lines = fonts.flatMap((font) => [400, 600].map((weight) => `<p style="font:${weight} 14px ${font}">${sample}`));
  const text = await inBrowser(async (page) => {
    await page.setContent(`${lines.join('')}<select><option>${sample}</select><input type="checkbox" checked>`);
    return shoot(page);
  });
  return {
    chromium: (await browserOf()).version(),
    text: createHash('sha256').update(text).digest('hex').slice(0, 16),
  };
}

/** The picture in its 256 most frequent colours. Others become the nearest of those. */
export async function small(taken: string): Promise<Buffer> {
  const { palette, rows, ...size } = await inBrowser((page) =>
    page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const drawing = new OffscreenCanvas(width, height).getContext('2d')!;
      drawing.drawImage(image, 0, 0);
      const bytes = drawing.getImageData(0, 0, width, height).data;
      // 32 shades: antialiased edges have few colours then.
      const shade = Uint8Array.from({ length: 256 }, (_, value) => Math.round((Math.round(value / 8.226) * 255) / 31));
      const colours = new Uint32Array(width * height);
      const counts = new Map<number, number>();
      for (let at = 0; at < colours.length; at += 1) {
        const colour = (shade[bytes[at * 4]!]! << 16) | (shade[bytes[at * 4 + 1]!]! << 8) | shade[bytes[at * 4 + 2]!]!;
        colours[at] = colour;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      const parts = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;
      const distance = (one: number, other: number) => {
        const to = parts(other);
        return parts(one).reduce((sum, part, at) => sum + (part - to[at]!) ** 2, 0);
      };
      const topColours = [...counts.keys()].sort((one, other) => counts.get(other)! - counts.get(one)!).slice(0, 256);
      const numbers = new Map(topColours.map((colour, number) => [colour, number]));
      for (const colour of counts.keys()) {
        if (numbers.has(colour)) continue;
        const nearest = topColours.reduce((best, each) =>
          distance(each, colour) < distance(best, colour) ? each : best,
        );
        numbers.set(colour, numbers.get(nearest)!);
      }
      const rows: string[] = [];
      for (let row = 0; row < height; row += 1) {
        const own = colours.subarray(row * width, (row + 1) * width);
        rows.push(String.fromCharCode(0, ...[...own].map((colour) => numbers.get(colour)!)));
      }
      return { width, height, palette: topColours.flatMap(parts), rows: btoa(rows.join('')) };
    }, taken),
  );
  const picture = { ...size, palette: Uint8Array.from(palette), rows: Uint8Array.from(Buffer.from(rows, 'base64')) };
  return Buffer.from(await pngFile(picture));
}

/** Share of the pixels that look another way, and the taken picture with those in red. Both are small ones. */
export const compare = (
  expected: Buffer,
  taken: Buffer,
): Promise<{ readonly share: number; readonly marked: string }> =>
  inBrowser((page) =>
    page.evaluate(
      async (both) => {
        const visible = 24;
        const [one, other] = await Promise.all(
          both.map(async (data) => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const canvas = document.createElement('canvas');
            canvas.width = image.naturalWidth;
            canvas.height = image.naturalHeight;
            const drawing = canvas.getContext('2d')!;
            drawing.drawImage(image, 0, 0);
            return { canvas, drawing, pixels: drawing.getImageData(0, 0, canvas.width, canvas.height) };
          }),
        );
        const { canvas, drawing, pixels } = other!;
        const before = one!.pixels;
        if (before.width !== pixels.width || before.height !== pixels.height) return { share: 1, marked: '' };
        const [then, now] = [before.data, pixels.data];
        let count = 0;
        for (let at = 0; at < now.length; at += 4) {
          const red = Math.abs(now[at]! - then[at]!);
          const green = Math.abs(now[at + 1]! - then[at + 1]!);
          const blue = Math.abs(now[at + 2]! - then[at + 2]!);
          if (Math.max(red, green, blue) <= visible) continue;
          count += 1;
          now.set([255, 0, 0, 255], at);
        }
        drawing.putImageData(pixels, 0, 0);
        const share = count / (canvas.width * canvas.height);
        return { share, marked: canvas.toDataURL('image/png').split(',')[1]! };
      },
      [expected.toString('base64'), taken.toString('base64')],
    ),
  );
