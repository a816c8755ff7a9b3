import { css, html, LitElement } from "lit";

export class HelloPage extends LitElement {
  static override properties = { count: { type: Number } };

  // Lit makes the accessors of properties; a field of the class would hide them.
  declare count: number;

  static override styles = css`
    :host {
      display: block;
      max-width: 640px;
      margin: 0 auto;
      padding: 64px 24px;
    }

    button {
      padding: 8px 16px;
      font: inherit;
      cursor: pointer;
    }
  `;

  constructor() {
    super();
    this.count = 0;
  }

  override render() {
    return html`
      <h1>Hello Lit</h1>
      <p>Edit <code>src/HelloPage.ts</code> and save. The page follows.</p>
      <button type="button" @click=${() => this.count++}>
        Count is ${this.count}
      </button>
    `;
  }
}

customElements.define("hello-page", HelloPage);
