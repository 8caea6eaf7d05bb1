import { useState } from 'preact/hooks';

import { readBlocks, readInline, type Block } from './markdown.ts';
import { firstPart } from './first-part.ts';

/** Words of a model or a person: Markdown as nodes, or as they were written; long ones are folded. */
export function Words({ text, lines = 40 }: { readonly text: string; readonly lines?: number }) {
  const [parts, setParts] = useState(1);
  const [raw, setRaw] = useState(false);
  const { shown, left } = firstPart(text, lines, parts);
  const marked = /[`*#|>_[]|^\s*(?:[-+]|\d+\.)\s/m.test(shown);
  return (
    <div class="words" dir="auto">
      {raw || !marked ? <p class="as-written">{shown}</p> : <Blocks text={shown} />}
      {(left > 0 || marked) && (
        <p class="small tools">
          {left > 0 && (
            <button class="link" type="button" onClick={() => setParts(parts + 1)}>
              Show more ({left.toLocaleString()} characters)
            </button>
          )}
          {marked && (
            <button class="link" type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
              as written
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function Blocks({ text }: { readonly text: string }) {
  return (
    <>
      {readBlocks(text).map((block, place) => (
        <BlockView key={place} block={block} />
      ))}
    </>
  );
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p class="as-written">
          <Line text={block.text} />
        </p>
      );
    case 'heading':
      // Not a heading of the page: what somebody said must not enter its outline.
      return (
        <p class="said-heading">
          <Line text={block.text} />
        </p>
      );
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'quote':
      return (
        <blockquote>
          <Line text={block.text} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
    case 'list': {
      const items = block.items.map((item, place) => (
        <li key={place}>
          <Line text={item} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="scroll" tabIndex={0} role="group" aria-label="Table">
          <table>
            <tbody>
              {block.rows.map((row, place) => (
                <tr key={place}>
                  {row.map((cell, column) => (
                    <td key={column}>
                      <Line text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function Line({ text }: { readonly text: string }) {
  return (
    <>
      {readInline(text).map((piece, place) => {
        switch (piece.kind) {
          case 'text':
            return piece.text;
          case 'code':
            return <code key={place}>{piece.text}</code>;
          case 'strong':
            return <strong key={place}>{piece.text}</strong>;
          case 'emphasis':
            return <em key={place}>{piece.text}</em>;
          case 'link':
            return (
              <a key={place} href={piece.url} rel="noopener noreferrer nofollow" target="_blank">
                {piece.text}
              </a>
            );
        }
      })}
    </>
  );
}
