// The connection to a table. It comes back by itself; the server then sends the whole document again.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 1500;
/** Milliseconds out of sight after which a connection may be dead without a sign. */
const ASLEEP = 15000;

export class Connection {
  /**
   * @param {string} code
   * @param {() => string} token
   * @param {(message: any) => void} onMessage
   * @param {(state: "connecting" | "open" | "lost" | "refused") => void} onState
   */
  constructor(code, token, onMessage, onState) {
    this.code = code;
    this.token = token;
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    addEventListener("online", () => this.retryNow());
    let hiddenSince = 0;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) hiddenSince = Date.now();
      else if (Date.now() - hiddenSince > ASLEEP) this.rejoin();
      else this.retryNow();
    });
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.code}/socket`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      socket.send(JSON.stringify({ type: "join", token: this.token() }));
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "welcome") this.onState("open");
      this.onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (event.code === 4404) {
        this.onState("refused");
        return;
      }
      this.onState("lost");
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
    });
  }

  retryNow() {
    if (this.socket !== null || this.timer === 0) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Whether the message was sent. What is lost with the connection is seen in the next document. @param {object} message */
  send(message) {
    if (this.socket === null || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Join again on a new connection; the old one is not waited for. */
  rejoin() {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }
}
