/** A form at each route, which sends it to a server of the reader. `openapi.json` says what the form asks for. */
const { root } = document.documentElement.dataset;
const maxShown = 100_000;
const json = 'application/json';
let description;
const operations = async () => {
  description ??= fetch(`${root}/openapi.json`).then((answer) => answer.json());
  return (await description).paths;
};

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const select = (name, values) => make('select', { name }, ...values.map((value) => new Option(value)));

let describedFields = 0;
/** A field with its label, and what describes it. */
function labelled(text, field, says) {
  const label = make('label', {}, make('span', { textContent: text }), field);
  if (!says) return make('div', { className: 'field' }, label);
  const small = make('small', { id: `says-${++describedFields}`, textContent: says });
  field.setAttribute('aria-describedby', small.id);
  return make('div', { className: 'field' }, label, small);
}

/** What the tab remembers until it is closed: nothing of it is on a disk or on another machine. */
function remembered(name, properties) {
  const field = make('input', { name, value: sessionStorage.getItem(name) ?? '', autocomplete: 'off', ...properties });
  field.addEventListener('change', () => sessionStorage.setItem(name, field.value));
  return field;
}

/** The form has names of its own, such as `token`: those of parameters are data. */
function parameterField({ name, in: place, required, schema, 'x-rest': isRest }) {
  const values = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const field = values
    ? select('', [...(required ? [] : ['']), ...values])
    : make('input', { placeholder: schema.default ?? '' });
  field.required = required === true;
  Object.assign(field.dataset, { in: place, name });
  if (schema.type === 'array') field.dataset.between = ',';
  if (isRest) field.dataset.between = '/';
  return field;
}

function bodyFields({ content }) {
  const type = select('type', Object.keys(content));
  const text = make('textarea', { name: 'text', spellcheck: false });
  const file = make('input', { name: 'file', type: 'file' });
  const textLabel = labelled('body', text);
  const fileLabel = labelled('file', file);
  const show = () => {
    fileLabel.hidden = type.value !== 'application/octet-stream';
    textLabel.hidden = !fileLabel.hidden;
    if (type.value === json && text.value === '') text.value = '{}';
  };
  type.addEventListener('change', show);
  show();
  return [labelled('form of the body', type), textLabel, fileLabel];
}

/** Fields of one operation. Those that may be left out are behind a fold. */
function fieldsOf({ parameters = [], requestBody, responses }) {
  const label = (parameter) => labelled(parameter.name, parameterField(parameter), parameter.description);
  const optional = parameters.filter(({ required }) => !required).map(label);
  const produces = Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}));
  // Readers see JSON best.
  const forms = [...new Set(produces)].sort((a, b) => Number(b === json) - Number(a === json));
  return [
    ...parameters.filter(({ required }) => required).map(label),
    ...(optional.length > 0
      ? [make('details', {}, make('summary', { textContent: `${optional.length} more parameters` }), ...optional)]
      : []),
    ...(requestBody ? bodyFields(requestBody) : []),
    ...(forms.length > 1 ? [labelled('form of the answer', select('accept', forms))] : []),
  ];
}

/** Values of the fields of a place by their names: several of a list, and of the rest of a path. */
const valuesOf = (form, place) =>
  [...form.querySelectorAll(`[data-in="${place}"]`)].map(({ value, dataset }) => [
    dataset.name,
    dataset.between ? value.split(dataset.between) : [value],
  ]);

/** Below the base of the API, unless the path names another one. */
const baseOf = (path) => (/^\/API(?:noauth|init)/.test(path) ? '' : '/API');

function requestOf(form, method, template) {
  const { elements } = form;
  let path = template;
  for (const [name, parts] of valuesOf(form, 'path'))
    path = path.replace(`{${name}}`, () => parts.map(encodeURIComponent).join('/'));
  const query = new URLSearchParams(
    valuesOf(form, 'query').flatMap(([name, values]) => values.filter(Boolean).map((value) => [name, value])),
  );
  const server = elements.server.value.replace(/\/+$/, '');
  const address = `${server}${baseOf(path)}${path}${query.size > 0 ? `?${query}` : ''}`;
  const headers = { accept: elements.accept?.value ?? '*/*' };
  if (elements.token.value !== '') headers.authorization = `token ${elements.token.value}`;
  if (!elements.type) return [address, { method, headers }];
  const isFile = elements.type.value === 'application/octet-stream';
  const body = isFile ? elements.file.files[0] : elements.text.value;
  if (body) headers['content-type'] = elements.type.value;
  return [address, { method, headers, ...(body && { body }) }];
}

async function textOf(answer) {
  const type = answer.headers.get('content-type') ?? '';
  const bytes = await answer.blob();
  if (bytes.size === 0) return 'No body';
  if (!/json|xml|text/.test(type)) return `${bytes.size} bytes of ${type}`;
  const text = await bytes.slice(0, maxShown).text();
  const more = bytes.size > maxShown ? `\n… ${bytes.size} bytes in all` : '';
  if (!type.includes('json') || more) return text + more;
  return JSON.stringify(JSON.parse(text), undefined, 2);
}

/** A browser does not tell a page why it got no answer. */
function whyNoAnswer(server) {
  const proxies = make('a', {
    href: `${root}/docs/operate/proxies.html#pages-of-other-origins`,
    textContent: 'an entry',
  });
  const setting = make('code', { textContent: `PORTICO_CORS_ORIGINS=${location.origin}` });
  const reasons = [
    make('li', {}, `Nothing listens at ${server}.`),
    make('li', {}, 'The server does not let this page call it. Start it with ', setting, ', or make ', proxies, '.'),
    make('li', {}, 'A page by https calls other machines by https only.'),
  ];
  return make(
    'div',
    {},
    make('p', { className: 'wrong', textContent: 'The browser got no answer:' }),
    make('ul', {}, ...reasons),
  );
}

async function send(form, method, template, output) {
  const [address, request] = requestOf(form, method, template);
  const sent = make('p', {}, make('code', { textContent: `${method} ${address}` }));
  output.replaceChildren(sent);
  const answer = await fetch(address, { ...request, credentials: 'omit', cache: 'no-store' }).catch(() => undefined);
  if (!answer) return output.append(whyNoAnswer(form.elements.server.value));
  const status = make('p', {
    textContent: `${answer.status} ${answer.statusText}`,
    className: answer.ok ? '' : 'wrong',
  });
  output.append(status, make('pre', { tabIndex: 0, textContent: await textOf(answer) }));
}

/** Paths of a row. Many entities share some rows: the table behind these lists the entities, and the reader chooses. */
function pathsOf(route, template) {
  if (!template.startsWith('{entity}')) return [template];
  let next = route;
  while (next.localName === 'details') next = next.nextElementSibling;
  return [...next.querySelectorAll('td:first-child')].map((cell) =>
    template.replace('{entity}', () => cell.textContent),
  );
}

async function formOf(route, method, template) {
  const all = await operations();
  const operationAt = (path) => all[path]?.[method.toLowerCase()];
  const paths = pathsOf(route, template).filter(operationAt);
  const server = remembered('server', { type: 'url', required: true, placeholder: 'http://127.0.0.1:8080' });
  const token = remembered('token', { type: 'password', placeholder: 'none' });
  const path = select('template', paths);
  const fields = make('fieldset');
  const output = make('output');
  const form = make(
    'form',
    {},
    labelled('server', server, 'Scheme and host of your server. This tab alone remembers it, and the token.'),
    labelled('token', token, 'GET /token gives one.'),
    ...(paths.length > 1 ? [labelled('path', path)] : []),
    fields,
    make('button', { textContent: `Send ${method}` }),
    output,
  );
  const show = () => {
    fields.replaceChildren(...fieldsOf(operationAt(path.value)));
    output.replaceChildren();
  };
  path.addEventListener('change', show);
  show();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, method, path.value, output);
  });
  return form;
}

for (const route of document.querySelectorAll('.route')) {
  const [method, template] = route.dataset.route.split(' ');
  const button = make('button', { type: 'button', className: 'try', textContent: 'Try it' });
  button.addEventListener('click', async () => {
    button.disabled = true;
    button.replaceWith(await formOf(route, method, template));
    route.querySelector('[name=server]').focus();
  });
  route.append(button);
}
