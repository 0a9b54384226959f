import { describe, expect, it, vi } from 'vitest';
import { runHere as runScript } from '../../../src/core/scripts/run-here.ts';
import { lastValue, ScriptFails } from '../../../src/core/scripts/run-script.ts';

const failure = (source: string): Promise<string> =>
  runScript(source, {}, []).then(
    () => 'ended',
    (error) => (error instanceof ScriptFails ? error.message : `not a ScriptFails: ${error}`),
  );

describe('a script', () => {
  it('sees its variables, and what it leaves in them comes back', async () => {
    const preset = { format: 'mp4', video: { scaling: { width: 640 } } };
    const source = 'preset.video.scaling.width = shape.width / 2; var extra = [1, null]; let hidden = true; "last";';
    const read = await runScript(source, { preset, shape: { width: 1920 } }, ['preset', 'extra', 'hidden', lastValue]);
    expect(read).toEqual({
      preset: { format: 'mp4', video: { scaling: { width: 960 } } },
      extra: [1, null],
      hidden: true,
      [lastValue]: 'last',
    });
    expect(preset.video.scaling.width).toBe(640);
  });

  it('fails where what it leaves has more levels than the stack has room for, and the next one runs', async () => {
    const source = 'var deep = {}; for (let at = 0; at < 20000; at++) deep = { a: [deep] };';
    await expect(runScript(source, {}, ['deep'])).rejects.toThrow(ScriptFails);
    expect(await runScript('var one = 1', {}, ['one'])).toEqual({ one: 1 });
  });

  it('reads and writes its variables as beans, too', async () => {
    const shape = { videoComponent: [{ resolution: { width: 1920 } }], mimeType: [] };
    const source = `
      var codec = shape.getVideoComponent().size() > 0 && shape.getMimeType().isEmpty() ? 'h264' : 'none';
      preset.getVideo().setCodec(codec);
      preset.video.setScaling({ width: shape.getVideoComponent().get(0).getResolution().getWidth() / 2 });
      preset.getSetting().add({ key: 'a', value: jobMetadata.get('quality') });
      [shape.getAudioComponent(), jobMetadata.get('constructor'), preset.isNoAudio(), shape.videoComponent.map(({ resolution }) => resolution.width)];
    `;
    const preset = { video: {}, setting: [], noAudio: true };
    const read = await runScript(source, { shape, preset, jobMetadata: { quality: 'high' } }, ['preset', lastValue]);
    expect(read).toEqual({
      preset: {
        video: { codec: 'h264', scaling: { width: 960 } },
        setting: [{ key: 'a', value: 'high' }],
        noAudio: true,
      },
      [lastValue]: [null, null, true, [1920]],
    });
  });

  it('leaves out what no variable holds, and what is no JSON', async () => {
    expect(await runScript('var run = () => 1; var none;', {}, ['run', 'none', 'unknown', lastValue])).toEqual({});
  });

  it('finds nothing of the server, and nothing that goes out', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'Deno',
      'console',
      'setTimeout',
      'WebAssembly',
      'std',
      'os',
      'module',
    ];
    const source = `[${names.map((name) => `typeof ${name}`).join(', ')}].filter((each) => each !== 'undefined')`;
    expect(await runScript(source, {}, [lastValue])).toEqual({ [lastValue]: [] });
    const climbing = 'try { (function () {}).constructor("return this.process.exit(1)")() } catch (e) { "" + e.name }';
    expect(await runScript(climbing, {}, [lastValue])).toEqual({ [lastValue]: 'TypeError' });
    expect(await runScript('var seen = "no"; import("fs").then(() => { seen = "yes" }); 0', {}, ['seen'])).toEqual({
      seen: 'no',
    });
  });

  it('leaves nothing behind for the next one', async () => {
    await runScript('Object.prototype.left = 1; globalThis.left = 1; JSON.stringify = () => "7";', {}, []);
    expect(await runScript('({ a: typeof left, b: typeof ({}).left })', {}, [lastValue])).toEqual({
      [lastValue]: { a: 'undefined', b: 'undefined' },
    });
    expect(({} as Record<string, unknown>)['left']).toBeUndefined();
  });

  it('cannot replace what reads its variables', async () => {
    const source = 'JSON.stringify = () => "7"; JSON.parse = () => 8; String = () => "9"; name = "mine";';
    expect(await runScript(source, { name: 'given' }, ['name'])).toEqual({ name: 'mine' });
  });

  it('keeps a variable named like a prototype a plain value', async () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const { data } = await runScript('data.more = data.admin === undefined;', { data: value }, ['data']);
    expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"constructor":1,"more":true}');
  });
});

describe('a script that fails', () => {
  it('says what it threw, and in which line', async () => {
    expect(await failure('\n\nthrow new Error("Expected a video track");')).toBe(
      'Error: Expected a video track (line 3)',
    );
    expect(await failure('throw "no video"')).toBe('no video');
    expect(await failure('let x = ;')).toMatch(/^SyntaxError: .* \(line 1\)$/);
    expect(await failure('missing.value')).toMatch(/^ReferenceError: .*missing.* \(line 1\)$/);
    expect(await failure('throw { toString() { throw 1; } }')).toBe(
      'Expected the script to end: it threw something without a text',
    );
    expect((await failure('throw "x".repeat(100000)')).length).toBe(500);
  });

  it('is stopped when it does not end, even where it catches everything', async () => {
    for (const source of [
      'for (;;) {}',
      'for (;;) { try { for (;;) {} } catch (e) {} }',
      '/^(a+)+$/.test("a".repeat(40) + "b")',
    ]) {
      expect(await failure(source)).toBe('Expected the script to end within a second');
    }
  });

  it('is stopped when it wants too much memory, too deep a stack or too long a result', async () => {
    expect(await failure('let s = "x".repeat(1e8)')).toMatch(/out of memory|too long/);
    expect(await failure('function deeper() { return deeper() + 1 } deeper()')).toMatch(/stack overflow/);
    expect(await failure(`/*${'x'.repeat(256 * 1024)}*/`)).toMatch(/^Expected a script of at most 262144 characters/);
    const long = runScript('"x".repeat(2 ** 21)', {}, [lastValue]);
    await expect(long).rejects.toThrow(/^Expected a value in "return" of at most 1048576 characters/);
    expect(await runScript('1 + 1', {}, [lastValue])).toEqual({ [lastValue]: 2 });
  });

  it('cannot hide a value that is no tree', async () => {
    await expect(runScript('var round = {}; round.round = round;', {}, ['round'])).rejects.toThrow(
      'circular reference',
    );
  });
});

it('without the extension of scripts, a script fails with its name', async () => {
  // A process in which no service has opened the extension.
  vi.resetModules();
  const fresh = await import('../../../src/core/scripts/run-script.ts');
  const failed = fresh.runScript('1 + 1', {}, []);
  await expect(failed).rejects.toThrow('Expected the extension "scripts", which this service leaves out');
  await expect(failed).rejects.toBeInstanceOf(fresh.ScriptFails);
});
