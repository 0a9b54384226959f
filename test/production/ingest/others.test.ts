import { beforeAll, describe, expect, it } from 'vitest';
import { clip, setProjection } from '../../extensions/stylesheets/support.ts';
import { ended, type JobSeen, jobOf } from '../../support/files.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { dataOf, itemOf, sent, start } from '../../support/transfers.ts';
import { importer, outsider, type RoomWorld, sharedWorld } from '../../support/world.ts';

const ask = asking(importer);

const json = { accept: 'application/json', 'content-type': 'application/json' };

describe('an item that is there', () => {
  let world: RoomWorld;
  let item: string;
  const shared = sharedWorld('imports');
  beforeAll(async () => {
    world = shared();
    world.from.put('one.txt', 'one');
    const job = await start(world, ask('POST /API/import?uri=memory:///in/one.txt'));
    item = dataOf(await ended(world, job.jobId), 'itemId')!;
    await done(world, { ...ask('PUT /API/shape-tag/proxy', '{}', admin), headers: json });
  });

  it('gets another shape with its tags from an address', async () => {
    world.from.put('two.txt', 'two');
    const job = await start(world, ask(`POST /API/item/${item}/shape?uri=memory:///in/two.txt&tag=proxy`));
    expect(job.type).toBe('SHAPE_IMPORT');
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { shape, fields } = await itemOf(world, item, importer);
    expect(shape.map(({ tag }) => tag)).toEqual([['original'], ['proxy']]);
    expect(fields['shapeTag']).toBe('original|proxy');
    expect(fields['originalFilename']).toBe('one.txt');
  });

  it('keeps no shape of an import that failed', async () => {
    const before = (await rowsOf(world, 'shape')).length;
    const job = await start(world, ask(`POST /API/item/${item}/shape?uri=memory:///in/none.txt&tag=proxy`));
    expect((await ended(world, job.jobId)).status).toBe('FAILED_TOTAL');
    expect(await rowsOf(world, 'shape')).toHaveLength(before);
  });

  it('refuses a tag that nobody knows, before any job', async () => {
    const answer = await world.send(ask(`POST /API/item/${item}/shape?uri=memory:///in/two.txt&tag=nowhere`));
    expect([answer.status, JSON.parse(answer.body).notFound.type]).toEqual([404, 'shape-tag']);
  });

  it('gets the next version of its essence from the body', async () => {
    const job = await start(world, sent(`POST /API/item/${item}/shape/essence/raw?filename=new.txt`, 'new'));
    expect(job.type).toBe('ESSENCE_VERSION');
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { shape, fields } = await itemOf(world, item, importer);
    expect(shape.map(({ essenceVersion, tag }) => [essenceVersion, tag])).toEqual([[1, ['original']]]);
    expect(fields['originalFilename']).toBe('new.txt');
  });

  it('gets the next version of its essence from an address', async () => {
    world.from.put('newer.txt', 'newer');
    const job = await start(world, ask(`POST /API/item/${item}/shape/essence?uri=memory:///in/newer.txt`));
    const end = await ended(world, job.jobId);
    expect([end.type, end.status], JSON.stringify(end)).toEqual(['ESSENCE_VERSION', 'FINISHED']);
    const { shape, fields } = await itemOf(world, item, importer);
    expect(shape.map(({ essenceVersion, tag }) => [essenceVersion, tag])).toEqual([[2, ['original']]]);
    expect(fields['originalFilename']).toBe('newer.txt');
  });

  it('tells the addresses of its files, those of a tag, and none of a scheme that none has', async () => {
    const uris = async (query: string) =>
      (await done<{ uri?: string[] }>(world, ask(`GET /API/item/${item}/uri${query}`, undefined, admin))).uri ?? [];
    const { shape } = await itemOf(world, item, importer);
    const [{ path } = { path: 'none' }] = shape[0]!.binaryComponent![0]!.file;
    expect(await uris('')).toEqual([expect.stringMatching(new RegExp(`^memory:///.*${path}$`))]);
    expect(await uris('?tag=original&scheme=memory')).toHaveLength(1);
    expect(await uris('?scheme=http')).toEqual([]);
    expect(await uris('?tag=proxy')).toEqual([]);
  });

  it('gets another shape from the body', async () => {
    const job = await start(world, sent(`POST /API/item/${item}/shape/raw?filename=p.txt&tag=proxy`, 'proxy'));
    const end = await ended(world, job.jobId);
    expect([end.type, end.status], JSON.stringify(end)).toEqual(['SHAPE_IMPORT', 'FINISHED']);
    const { shape } = await itemOf(world, item, importer);
    expect(shape.map(({ tag }) => tag)).toEqual([['original'], ['proxy']]);
  });

  it('takes metadata of a sidecar as a change of the caller', async () => {
    const xml =
      '<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>From beside</value></field></timespan></MetadataDocument>';
    world.from.put('one.xml', xml);
    const job = await start(world, ask(`POST /API/import/sidecar/${item}?sidecar=memory:///in/one.xml`));
    expect(job.type).toBe('SIDECAR_IMPORT');
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    expect((await itemOf(world, item)).fields['title']).toBe('From beside');
  });

  it('takes subtitles as metadata with time spans', async () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,500\n<i>Good morning</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nHarbour\n';
    const job = await start(world, sent(`POST /API/import/sidecar/${item}/raw?fileExtension=srt`, srt));
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const answer = await world.send(ask(`GET /API/item/${item}/metadata?field=stl_text`));
    expect(answer.body).toContain('Good morning');
    expect(answer.body).not.toContain('<i>');
    expect(await rowsOf(world, 'import_sidecar')).toEqual([]);
  });

  it('takes TTML, WebVTT and SCC, and gives the subtitles back as TTML and SCC', async () => {
    const made = await start(world, ask('POST /API/import/placeholder?container=1'));
    const id = (made as unknown as { id: string }).id;
    const put = async (fileExtension: string, text: string, more = '') => {
      const path = `POST /API/import/sidecar/${id}/raw?fileExtension=${fileExtension}${more}`;
      const end = await ended(world, (await start(world, sent(path, text))).jobId);
      expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    };
    const language = '&jobmetadata=subtitleLanguage%3Dno';
    await put('vtt', 'WEBVTT\n\n00:10.000 --> 00:12.000\nGod <b>morgen</b> &amp; takk\n', language);
    await put('xml', '<tt xml:lang="en"><body><div><p begin="20s" end="22s">Good<br/>night</p></div></body></tt>');
    await put(
      'scc',
      'Scenarist_SCC V1.0\n\n00:00:30;00\t9420 9420 9470 9470 c8e9 942f 942f\n\n00:00:31;00\t942c 942c\n',
    );
    const get = (path: string) => world.send({ ...ask(`GET /API/item/${id}/metadata/export/${path}`), headers: {} });
    const ttml = await get('ttml');
    expect([ttml.status, ttml.headers.get('content-type')]).toEqual([200, 'application/xml; charset=UTF-8']);
    const rows = ttml.body.match(/<p .*<\/p>/g);
    expect(rows).toEqual([
      '<p begin="00:00:10.000" end="00:00:12.000" xml:space="preserve" xml:lang="no">God morgen &amp; takk</p>',
      '<p begin="00:00:20.000" end="00:00:22.000" xml:space="preserve" xml:lang="en">Good<br/>night</p>',
      '<p begin="00:00:30.197" end="00:00:31.031" xml:space="preserve">Hi</p>',
    ]);
    expect((await get('ttml?interval=19-21')).body.match(/<p /g)).toHaveLength(1);
    expect((await get('ttml?language=no')).body).toContain('<p begin="00:00:10.000"');
    const scc = await get('scc');
    expect([scc.status, scc.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    expect(scc.body).toMatch(/^Scenarist_SCC V1\.0\n\n00:00:09;\d\d\t94ae 94ae 9420 9420 /);
    expect((await get('ttml?interval=never')).status).toBe(400);
    const stranger = { ...ask(`GET /API/item/${id}/metadata/export/ttml`, undefined, outsider), headers: {} };
    expect((await world.send(stranger)).status).toBe(403);
  });

  it.each([
    ['ttml', '<!DOCTYPE tt [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><tt><body>&b;</body></tt>', 'document type'],
    ['ttml', `<tt><body>${'<div>'.repeat(200)}`, 'levels of nesting'],
    ['ttml', '<tt><body><p begin="1s" end="2s">', 'well-formed'],
    ['scc', 'Scenarist_SCC V1.0\n\n00:00:01:00\tzzzz', 'hexadecimal'],
    ['vtt', 'WEBVTT\n\n00:02.000 --> 00:01.000\nbackwards', 'subtitles with times'],
  ])('a hostile sidecar fails its job by name: %s %#', async (fileExtension, text, sentence) => {
    const path = `POST /API/import/sidecar/${item}/raw?fileExtension=${fileExtension}`;
    const end = await ended(world, (await start(world, sent(path, text))).jobId);
    expect([end.status, end.log!.task[0]!.errorMessage]).toEqual(['FAILED_TOTAL', expect.stringContaining(sentence)]);
  });

  it('a sidecar that is none fails its job with a sentence', async () => {
    const job = await start(
      world,
      sent(`POST /API/import/sidecar/${item}/raw?fileExtension=bin`, 'nothing of the kind'),
    );
    const end = await ended(world, job.jobId);
    expect(end.status).toBe('FAILED_TOTAL');
    expect(end.log!.task[0]!.errorMessage).toContain('Expected a MetadataDocument or subtitles');
  });
});

describe('a file of a storage', () => {
  let world: RoomWorld;
  const shared = sharedWorld('imports');
  beforeAll(() => {
    world = shared();
  });

  it('becomes an item without a title of its own, with metadata and sidecars of the request', async () => {
    const file = await done<{ id: string }>(world, sent('POST /API/storage/VX-1/file/data?path=a.txt', 'a'));
    const job = await start(world, ask(`POST /API/storage/VX-1/file/${file.id}/import?filename=b.txt`));
    expect(job.type).toBe('AUTO_IMPORT');
    const other = await world.send(ask(`POST /API/file/${file.id}/import`));
    expect([other.status, other.body]).toEqual([400, expect.stringContaining(`[${job.jobId}]`)]);
    const end = await ended(world, job.jobId);
    expect(end.log!.task.map(({ step, description }) => `${step} ${description}`)).toEqual([
      '100 Waiting for file to close',
      '200 Creating item',
      '500 Media check',
      '550 Finalizing media check',
      '600 Updating metadata',
      '700 Transcoding',
      '800 Applying sidecars',
      '1100 Finalizing media check',
    ]);
    expect(end.status).toBe('FINISHED');
    const { fields } = await itemOf(world, dataOf(end, 'itemId')!);
    expect([fields['originalFilename'], fields['title']]).toEqual(['b.txt', undefined]);
    const again = await world.send(ask(`POST /API/file/${file.id}/import`));
    expect(again.status).toBe(400);
  });

  it('becomes an item by its address below all storages', async () => {
    const file = await done<{ id: string }>(world, sent('POST /API/storage/VX-1/file/data?path=e.txt', 'e'));
    const job = await start(world, ask(`POST /API/storage/file/${file.id}/import`));
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { shape } = await itemOf(world, dataOf(end, 'itemId')!);
    expect(JSON.stringify(shape)).toContain(file.id);
  });

  it('tells the storage that takes an import', async () => {
    const storage = await done<{ id: string }>(world, ask('GET /API/import/storage'));
    expect(['VX-1', 'VX-2']).toContain(storage.id);
  });

  it('is imported by the rule of its storage when it is closed, as the rule says', async () => {
    const rule = {
      tag: [],
      fileNameAsTitle: true,
      user: 'importer',
      excludeFilter: [{ pattern: '.*\\.tmp' }],
      jobmetadata: { field: [{ key: 'desk', value: 'night' }] },
    };
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', JSON.stringify(rule), admin), headers: json });
    const title =
      '<MetadataDocument><timespan start="-INF" end="+INF"><field><name>title</name><value>Beside</value></field></timespan></MetadataDocument>';
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/c.xml', title));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/d.tmp', 'd'));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/c.txt', 'c'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const jobs = (await rowsOf(world, 'job')).filter(
      ({ type, data }) => type === 'AUTO_IMPORT' && /desk/.test(String(data)),
    );
    expect(jobs).toHaveLength(1);
    const end = await ended(world, String(jobs[0]!['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const seen = await jobOf(world, end.jobId);
    expect([seen.user, dataOf(seen, 'desk')]).toEqual(['importer', 'night']);
    const item = await itemOf(world, dataOf(seen, 'itemId')!, importer);
    expect(item.fields).toMatchObject({ title: 'Beside', originalFilename: 'c.txt' });
    expect(await rowsOf(world, 'auto_import_due')).toEqual([]);
  });

  it('gets the metadata of the rule where none lies beside the file', async () => {
    const field = [{ name: 'title', value: [{ value: 'By the rule' }] }];
    const rule = { metadata: { timespan: [{ start: '-INF', end: '+INF', field }] }, user: 'importer' };
    const place = '/API/storage/VX-2/auto-import';
    await done(world, { ...ask(`PUT ${place}`, JSON.stringify(rule), admin), headers: json });
    expect(await done(world, ask(`GET ${place}`, undefined, admin))).toMatchObject(rule);
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/ruled.txt', 'ruled'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const job = (await rowsOf(world, 'job')).findLast(({ type }) => type === 'AUTO_IMPORT')!;
    const end = await ended(world, String(job['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const item = await itemOf(world, dataOf(end, 'itemId')!);
    expect(item.fields).toMatchObject({ title: 'By the rule', originalFilename: 'ruled.txt' });
  });

  it('names import settings that are there; where they went later, it rests for an hour', async () => {
    const place = '/API/storage/VX-2/auto-import';
    const put = (rule: object) => world.send({ ...ask(`PUT ${place}`, JSON.stringify(rule), admin), headers: json });
    const refused = await put({ settingsId: 'VX-999' });
    expect([refused.status, JSON.parse(refused.body).notFound]).toMatchObject([
      404,
      { type: 'ImportSettings', id: 'VX-999' },
    ]);
    const settings = { ...ask('POST /API/import/settings', '{}', admin), headers: json };
    const { id } = await done<{ id: string }>(world, settings);
    expect((await put({ settingsId: id })).status).toBe(200);
    await done(world, ask(`DELETE /API/import/settings/${id}`, undefined, admin));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/unset.txt', 'unset'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const [row] = await rowsOf(world, 'auto_import_due');
    expect(Number(row!['due'])).toBeGreaterThan(world.clock.now() + 3_000_000);
    await done(world, ask(`DELETE ${place}`, undefined, admin));
    await world.clock.advance(3_600_001);
    for (let round = 0; round < 4; round++) await world.service.tick();
    expect(await rowsOf(world, 'auto_import_due')).toEqual([]);
  });

  it('gets its name as title, and tags by its name, where the rule says so', async () => {
    const rule = {
      ...{ fileNameAsTitle: true, user: 'importer', excludeFilter: [{ pattern: '.*\\.part' }] },
      ...{ tag: ['proxy'], shapeTagFilter: [{ pattern: '.*\\.mov', tag: ['proxy'] }] },
    };
    await done(world, { ...ask('PUT /API/shape-tag/proxy', '{}', admin), headers: json });
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', JSON.stringify(rule), admin), headers: json });
    const jobs = async () => (await rowsOf(world, 'job')).filter(({ type }) => type === 'AUTO_IMPORT');
    const before = (await jobs()).length;
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/half.part', 'half'));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/named.txt', 'named'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const started = await jobs();
    expect(started).toHaveLength(before + 1);
    const end = await ended(world, String(started.at(-1)!['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const item = await itemOf(world, dataOf(end, 'itemId')!);
    expect(item.fields).toMatchObject({ title: 'named.txt', originalFilename: 'named.txt' });
    expect(item.shape.map(({ tag }) => tag)).toEqual([['original']]);
  });

  it('gets metadata of any XML beside the file through the projection of the rule', async () => {
    expect((await setProjection(world, 'clips', 'incoming', clip)).status).toBe(200);
    const rule = '{"user":"importer","projection":"clips"}';
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', rule, admin), headers: json });
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/made.xml', '<clip><name>Quay</name></clip>'));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/made.txt', 'made'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const job = (await rowsOf(world, 'job')).findLast(({ type }) => type === 'AUTO_IMPORT')!;
    const end = await ended(world, String(job['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    expect((await itemOf(world, dataOf(end, 'itemId')!)).fields).toMatchObject({ title: 'QUAY' });
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/other.xml', '<other/>'));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/other.txt', 'other'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const next = (await rowsOf(world, 'job')).findLast(({ type }) => type === 'AUTO_IMPORT')!;
    const warned = await ended(world, String(next['id']));
    expect([warned.status, JSON.stringify(warned.log)]).toEqual([
      'FINISHED_WARNING',
      expect.stringContaining('Expected a MetadataDocument of the projection'),
    ]);
  });

  it('gets its sidecar by the rights of the service if the rule has no user, also in a field with access entries', async () => {
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', '{"tag":[]}', admin), headers: json });
    const entries = '/API/metadata-field/title/access';
    await done(world, {
      ...ask(`POST ${entries}`, JSON.stringify({ permission: 'READ', user: 'admin' }), admin),
      headers: json,
    });
    const field = '<field><name>title</name><value>Of nobody</value></field>';
    const beside = `<MetadataDocument><timespan start="-INF" end="+INF">${field}</timespan></MetadataDocument>`;
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/own.xml', beside));
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/own.txt', 'own'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const job = (await rowsOf(world, 'job')).findLast(({ type }) => type === 'AUTO_IMPORT')!;
    const end = await ended(world, String(job['id']));
    expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
    expect((await itemOf(world, dataOf(end, 'itemId')!, admin)).fields).toMatchObject({ title: 'Of nobody' });
    const lists = async (as: typeof admin) => {
      const { job = [] } = await done<{ job?: JobSeen[] }>(world, ask('GET /API/job', undefined, as));
      return job.some(({ jobId }) => jobId === end.jobId);
    };
    expect([await lists(admin), await lists(importer)]).toEqual([true, false]);
  });

  it('imports what would lie beside others by itself, where the rule says so', async () => {
    const rule = '{"user":"importer","ignoreSidecarImport":true}';
    await done(world, { ...ask('PUT /API/storage/VX-2/auto-import', rule, admin), headers: json });
    await done(world, sent('POST /API/storage/VX-2/file/data?path=in/alone.xml', '<anything/>'));
    for (let round = 0; round < 4; round++) await world.service.tick();
    const job = (await rowsOf(world, 'job')).findLast(({ type }) => type === 'AUTO_IMPORT')!;
    const end = await ended(world, String(job['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { fields } = await itemOf(world, dataOf(end, 'itemId')!);
    expect(fields['originalFilename']).toBe('alone.xml');
  });

  it('a raw upload to that storage is imported once', async () => {
    const before = (await rowsOf(world, 'item')).length;
    const job = await start(world, sent('POST /API/import/raw?storageId=VX-2&filename=e.txt', 'e'));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    await world.clock.advance(10_000);
    for (let round = 0; round < 4; round++) await world.service.tick();
    expect(await rowsOf(world, 'item')).toHaveLength(before + 1);
  });
});
