import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * `node scripts/sample.mjs`: draws the media of the sample library into `src/entry/sample/files`, in Chromium, and
 * writes films with ffmpeg. They are in the repository, so nobody needs this but who changes them.
 */
const out = fileURLToPath(new URL('../src/entry/sample/files/', import.meta.url));
const max = 1_300_000;

/** Runs in the page: scenes by name, which draw their state at a time of seconds. */
function scenes() {
  const random = (seed) => {
    let state = seed;
    return () => {
      state = (state * 16807) % 2147483647;
      return state / 2147483647;
    };
  };
  const sky = (ctx, w, h, ...colours) => {
    const gradient = ctx.createLinearGradient(0, 0, 0, h);
    for (const [at, colour] of colours.entries()) gradient.addColorStop(at / (colours.length - 1), colour);
    ctx.fillStyle = gradient;
    ctx.fillRect(0, 0, w, h);
  };
  const disc = (ctx, x, y, r, colour) => {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 7);
    ctx.fill();
  };
  const shape = (ctx, colour, ...points) => {
    ctx.fillStyle = colour;
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.fill();
  };
  const ridge = (ctx, w, h, colour, height) => {
    const points = [[0, h]];
    for (let x = 0; x <= w + 8; x += 8) points.push([x, height(x / w) * h]);
    shape(ctx, colour, ...points, [w, h]);
  };
  const waves = (ctx, w, h, from, t, colours) => {
    for (const [n, colour] of colours.entries()) {
      const [base, speed] = [from + (n * (1 - from)) / colours.length, 0.25 + n * 0.12];
      ridge(ctx, w, h, colour, (x) => base + (0.004 + n * 0.004) * Math.sin(x * (26 - n * 5) + t * speed * 6 + n));
    }
  };
  const lighthouse = (ctx, x, foot, size) => {
    shape(
      ctx,
      '#2b2d42',
      [x - size, foot],
      [x - size * 0.5, foot - size * 0.3],
      [x + size * 0.6, foot - size * 0.3],
      [x + size * 1.2, foot],
    );
    for (let band = 0; band < 5; band++) {
      const [low, high] = [foot - size * (0.3 + band * 0.36), foot - size * (0.3 + (band + 1) * 0.36)];
      const half = (y) => size * (0.24 - 0.1 * ((foot - y) / (size * 2.1)));
      shape(
        ctx,
        band % 2 ? '#edf2f4' : '#d90429',
        [x - half(low), low],
        [x - half(high), high],
        [x + half(high), high],
        [x + half(low), low],
      );
    }
    ctx.fillStyle = '#2b2d42';
    ctx.fillRect(x - size * 0.17, foot - size * 2.16, size * 0.34, size * 0.06);
    ctx.fillRect(x - size * 0.09, foot - size * 2.38, size * 0.18, size * 0.24);
    disc(ctx, x, foot - size * 2.27, size * 0.06, '#ffe8a3');
    shape(
      ctx,
      '#d90429',
      [x - size * 0.14, foot - size * 2.38],
      [x, foot - size * 2.55],
      [x + size * 0.14, foot - size * 2.38],
    );
  };
  const boat = (ctx, x, y, size) => {
    shape(
      ctx,
      '#14213d',
      [x - size, y],
      [x + size, y],
      [x + size * 0.7, y + size * 0.32],
      [x - size * 0.75, y + size * 0.32],
    );
    shape(
      ctx,
      '#fdf6e3',
      [x - size * 0.05, y - size * 0.1],
      [x - size * 0.05, y - size * 1.9],
      [x - size * 0.85, y - size * 0.1],
    );
    shape(
      ctx,
      '#f4e0c0',
      [x + size * 0.05, y - size * 0.1],
      [x + size * 0.05, y - size * 1.6],
      [x + size * 0.7, y - size * 0.1],
    );
  };
  const pine = (ctx, x, foot, size, colour) => {
    for (let n = 0; n < 4; n++) {
      const y = foot - size * n * 0.24;
      shape(ctx, colour, [x - size * (0.3 - n * 0.06), y], [x, y - size * 0.42], [x + size * (0.3 - n * 0.06), y]);
    }
  };
  const harbour = (ctx, w, h, t) => {
    sky(ctx, w, h, '#1b2a49', '#5c4d7d', '#f2845c', '#ffd6a0');
    disc(ctx, w * 0.64, h * (0.5 + t * 0.012), h * 0.1, '#fff1c9');
    ridge(ctx, w, h, '#3d405b', (x) => 0.62 - 0.05 * Math.sin(x * 3 + 0.4) - 0.02 * Math.sin(x * 11));
    const [x, y, angle] = [w * 0.17, h * 0.28, t * 0.9];
    ctx.globalAlpha = 0.22;
    for (const turn of [angle, angle + Math.PI]) {
      const [reach, tilt] = [Math.cos(turn) * w, Math.abs(Math.sin(turn)) * h * 0.06];
      shape(ctx, '#fff6d8', [x, y], [x + reach, y - h * 0.05 - tilt], [x + reach, y + h * 0.09 + tilt]);
    }
    ctx.globalAlpha = 1;
    waves(ctx, w, h, 0.64, t, ['#2f3e63', '#283556']);
    lighthouse(ctx, x, h * 0.7, h * 0.185);
    boat(ctx, w * (0.38 + t * 0.045), h * (0.735 + 0.006 * Math.sin(t * 2.2)), h * 0.075);
    waves(ctx, w, h, 0.77, t, ['#21304e', '#1a2742', '#142036']);
  };
  const city = (ctx, w, h) => {
    sky(ctx, w, h, '#05081a', '#12203f', '#3a3a6a');
    const next = random(7);
    for (let n = 0; n < 90; n++) disc(ctx, next() * w, next() * h * 0.5, 0.6 + next() * 1.4, '#cfd8ff');
    disc(ctx, w * 0.8, h * 0.2, h * 0.075, '#f5f3ce');
    disc(ctx, w * 0.775, h * 0.19, h * 0.07, '#0e1835');
    for (const [row, colour] of ['#1a2547', '#131b36', '#0b1126'].entries()) {
      for (let x = -20; x < w; ) {
        const [wide, tall] = [w * (0.04 + next() * 0.05), h * (0.2 + next() * 0.34 - row * 0.07)];
        ctx.fillStyle = colour;
        ctx.fillRect(x, h - tall, wide - 3, tall);
        ctx.fillStyle = '#ffcf70';
        for (let y = h - tall + 10; y < h - 8; y += 16)
          for (let at = x + 7; at < x + wide - 14; at += 14) if (next() > 0.62) ctx.fillRect(at, y, 6, 8);
        x += wide;
      }
    }
  };
  return {
    harbour,
    /** Cut that a reviewer rejects: its horizon tilts, and it is too dark. */
    tilted(ctx, w, h, t) {
      ctx.save();
      ctx.translate(w / 2, h / 2);
      ctx.rotate(-0.06);
      ctx.scale(1.14, 1.14);
      ctx.translate(-w / 2, -h / 2);
      harbour(ctx, w, h, t + 2);
      ctx.restore();
      ctx.fillStyle = 'rgb(0 0 10 / 45%)';
      ctx.fillRect(0, 0, w, h);
    },
    morning(ctx, w, h, t) {
      sky(ctx, w, h, '#8ecae6', '#f8d9c4', '#ffe8d6');
      disc(ctx, w * 0.7, h * (0.5 - t * 0.03), h * 0.085, '#fff7e0');
      const layers = ['#a8b8c8', '#7c93a8', '#52708a', '#2f4f5f'];
      for (const [n, colour] of layers.entries()) {
        const shift = t * 0.012 * (n + 1) + n * 1.7;
        const height = (x) =>
          0.5 + n * 0.11 - 0.09 * Math.sin(x * (4 + n) + shift) - 0.03 * Math.sin(x * 13 + shift * 2);
        ridge(ctx, w, h, colour, height);
      }
      const [x, y] = [w * (0.3 + t * 0.02), h * (0.42 - t * 0.035)];
      disc(ctx, x, y, h * 0.11, '#e63946');
      ctx.fillStyle = '#f1faee';
      ctx.beginPath();
      ctx.ellipse(x, y, h * 0.045, h * 0.11, 0, 0, 7);
      ctx.fill();
      shape(
        ctx,
        '#6b4226',
        [x - h * 0.022, y + h * 0.17],
        [x + h * 0.022, y + h * 0.17],
        [x + h * 0.018, y + h * 0.205],
        [x - h * 0.018, y + h * 0.205],
      );
      ridge(ctx, w, h, '#1d3437', (at) => 0.9 - 0.03 * Math.sin(at * 7 + 1));
    },
    lighthouse(ctx, w, h) {
      sky(ctx, w, h, '#48cae4', '#ade8f4', '#fefae0');
      for (const [x, y, r] of [
        [0.2, 0.16, 0.05],
        [0.26, 0.145, 0.07],
        [0.34, 0.16, 0.05],
        [0.75, 0.26, 0.04],
        [0.81, 0.25, 0.06],
      ])
        disc(ctx, w * x, h * y, w * r, '#ffffff');
      waves(ctx, w, h, 0.72, 1, ['#0096c7', '#0077b6', '#023e8a', '#03045e']);
      lighthouse(ctx, w * 0.52, h * 0.84, h * 0.27);
    },
    forest(ctx, w, h) {
      sky(ctx, w, h, '#dde5b6', '#f0ead2');
      const next = random(3);
      disc(ctx, w * 0.66, h * 0.22, w * 0.13, '#fff9e6');
      for (const [row, colour] of ['#a3b18a', '#7f9c6d', '#588157', '#3a5a40', '#1f3a2c'].entries())
        for (let n = 0; n < 12 - row; n++)
          pine(ctx, next() * w, h * (0.5 + row * 0.13), h * (0.22 + row * 0.06 + next() * 0.08), colour);
      ridge(ctx, w, h, '#142820', (x) => 0.95 - 0.02 * Math.sin(x * 5));
    },
    lake(ctx, w, h) {
      sky(ctx, w, h, '#457b9d', '#a8dadc', '#f1faee', '#a8dadc', '#457b9d');
      const height = (x) => 0.5 - 0.2 * Math.abs(Math.sin(x * 5.2 + 0.6)) - 0.05 * Math.abs(Math.sin(x * 17));
      ctx.save();
      ctx.beginPath();
      ctx.rect(0, 0, w, h / 2);
      ctx.clip();
      ridge(ctx, w, h, '#6d8ba3', height);
      ridge(ctx, w, h, '#3b5b75', (x) => height(x + 0.3) + 0.08);
      ctx.restore();
      ctx.save();
      ctx.translate(0, h);
      ctx.scale(1, -1);
      ctx.globalAlpha = 0.45;
      ctx.beginPath();
      ctx.rect(0, 0, w, h / 2);
      ctx.clip();
      ridge(ctx, w, h, '#3b5b75', (x) => height(x + 0.3) + 0.08);
      ctx.restore();
      ctx.globalAlpha = 1;
      for (let n = 0; n < 7; n++) pine(ctx, w * (0.03 + n * 0.035), h * (0.86 + (n % 3) * 0.05), h * 0.3, '#1d3557');
      boat(ctx, w * 0.66, h * 0.62, h * 0.04);
    },
    city,
  };
}

const sheet = `<!doctype html><meta charset="utf-8"><style>
  @page { size: A4; margin: 18mm } body { font: 12pt sans-serif; color: #222 } h1 { font-size: 24pt; margin: 0 0 4mm }
  @media screen { body { padding: 10mm } } table { width: 100%; border-collapse: collapse; margin-top: 8mm } th, td { text-align: left; padding: 3mm 2mm; border-bottom: 1px solid #bbb }
</style><h1>Call sheet: Harbour film</h1><p>Day 2 of 3. The crew meets at the lighthouse at 05:30. Sunrise is at 06:12.</p>
<table><tr><th>Time<th>Scene<th>Where<th>Who</tr>
<tr><td>05:30<td>Setting up<td>Lighthouse<td>All</tr><tr><td>06:00<td>4, the beam<td>Pier<td>Camera, sound</tr>
<tr><td>07:15<td>5, the boat leaves<td>Harbour<td>Camera, boat</tr><tr><td>09:00<td>6, gulls<td>Breakwater<td>Sound</tr></table>`;

const folder = mkdtempSync(join(tmpdir(), 'portico-sample-'));
const ffmpeg = (...words) => execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...words], { stdio: 'inherit' });
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.addScriptTag({ content: `${scenes}; globalThis.drawn = scenes();` });

/** A frame as JPEG. */
const frame = async (scene, [width, height], seconds, quality) => {
  const url = await page.evaluate(
    ([name, w, h, t, q]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      globalThis.drawn[name](canvas.getContext('2d'), w, h, t);
      return canvas.toDataURL('image/jpeg', q);
    },
    [scene, width, height, seconds, quality],
  );
  return Buffer.from(url.split(',')[1], 'base64');
};

const rate = 25;
const films = [
  { name: 'harbour', scene: 'harbour', size: [1280, 720], seconds: 8, tone: 220 },
  { name: 'harbour-first-cut', scene: 'tilted', size: [960, 540], seconds: 4, tone: 196 },
  { name: 'morning', scene: 'morning', size: [1280, 720], seconds: 6, tone: 330 },
];
const sound = (tone, seconds) =>
  `aevalsrc=0.5*exp(-3*mod(t\\,1.5))*(sin(2*PI*${tone}*t)+0.5*sin(3*PI*${tone}*t))+0.12*sin(0.8*PI*t)*(random(0)-0.5):s=16000:d=${seconds}`;

try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const { name, scene, size, seconds, tone } of films) {
    const frames = [];
    for (let n = 0; n < seconds * rate; n++) frames.push(await frame(scene, size, n / rate, 0.95));
    const silent = join(folder, `${name}.mkv`);
    const words = [
      '-loglevel',
      'error',
      '-y',
      '-f',
      'image2pipe',
      '-framerate',
      String(rate),
      '-c:v',
      'mjpeg',
      '-i',
      '-',
    ];
    spawnSync('ffmpeg', [...words, '-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', silent], {
      input: Buffer.concat(frames),
    });
    const inputs = ['-i', silent, '-f', 'lavfi', '-i', sound(tone, seconds)];
    const video = (crf) => ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', String(crf), '-pix_fmt', 'yuv420p'];
    ffmpeg(
      ...inputs,
      ...video(28),
      '-c:a',
      'pcm_mulaw',
      '-ac',
      '1',
      '-movflags',
      '+faststart',
      '-shortest',
      join(out, `${name}.mov`),
    );
    const small = ['-vf', 'scale=640:-2', ...video(29), '-c:a', 'aac', '-b:a', '32k', '-ac', '1'];
    ffmpeg(...inputs, ...small, '-movflags', '+faststart', '-shortest', join(out, `${name}.mp4`));
    for (let at = 0; at < seconds; at += 2)
      writeFileSync(join(out, `${name}-${at}.jpg`), await frame(scene, [320, 180], at, 0.8));
  }
  for (const [scene, size] of [
    ['lighthouse', [960, 1440]],
    ['forest', [900, 1350]],
    ['lake', [1600, 1000]],
    ['city', [1600, 900]],
  ]) {
    writeFileSync(join(out, `${scene}.jpg`), await frame(scene, size, 0, 0.85));
    const scale = 320 / Math.max(...size);
    await page.setViewportSize({ width: 320, height: 320 });
    writeFileSync(
      join(out, `${scene}-0.jpg`),
      await frame(
        scene,
        size.map((side) => Math.round(side * scale)),
        0,
        0.8,
      ),
    );
  }
  ffmpeg('-f', 'lavfi', '-i', sound(262, 5), '-c:a', 'pcm_s16le', '-ar', '11025', '-ac', '1', join(out, 'bells.wav'));
  await page.setViewportSize({ width: 595, height: 842 });
  await page.setContent(sheet);
  await page.pdf({ path: join(out, 'call-sheet.pdf'), format: 'A4' });
  const picture = join(folder, 'sheet.png');
  await page.screenshot({ path: picture });
  ffmpeg('-i', picture, '-vf', 'scale=-2:320', '-q:v', '4', join(out, 'call-sheet-0.jpg'));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

const sizes = readdirSync(out).map((name) => [name, statSync(join(out, name)).size]);
for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(8)} ${name}`);
const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
if (total > max) throw new Error(`Expected at most ${max} bytes: ${total}`);
