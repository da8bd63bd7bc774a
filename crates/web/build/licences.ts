import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * The packages whose code is part of the built client. Their licences must be distributed with it.
 */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', 'uqr'];

/** A licence text of crates of the server, as `cargo xtask gen` collects them. */
interface CrateLicence {
  readonly crates: readonly string[];
  readonly text: string;
}

/**
 * Replaces `<!-- licences -->` in a page with the licence texts of the built client and the server.
 */
export function licences(): Plugin {
  return {
    name: 'quadrex-licences',
    transformIndexHtml: (html) => html.replace('<!-- licences -->', sections),
  };
}

function sections(): string {
  const art = section('Piece art by Colin M. L. Burnett', text('../src/view/board/PIECES-LICENCE'));
  const packages = BUNDLED.map((name) => section(name, text(`../node_modules/${name}/LICENSE`)));
  const crates = (JSON.parse(text('crates.json')) as CrateLicence[]).map((one) => section(one.crates.join(', '), one.text));
  return [art, ...packages, ...crates].join('\n');
}

function text(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8').trim();
}

function section(title: string, licence: string): string {
  return `<section><h2>${escape(title)}</h2><pre>${escape(licence)}</pre></section>`;
}

function escape(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
