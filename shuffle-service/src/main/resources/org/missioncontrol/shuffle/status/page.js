/*
 * Draws the status of one NodeManager. What comes from the network becomes text nodes and numbers,
 * never markup; so no name can do harm here.
 */
"use strict";

const EVERY_MS = 2000;
const TIMEOUT_MS = 8000;
const SAMPLES = 120;
const COLOURS = 8;
const SVG = "http://www.w3.org/2000/svg";

const at = (id) => document.getElementById(id);
const samples = [];
const colours = new Map();
const opened = new Set();
let last = null;
let lastSeen = null;
let paused = false;
let timer = 0;

// ---- text

function number(value, digits) {
  return value.toLocaleString("en", { maximumFractionDigits: digits === undefined ? 0 : digits });
}

function bytes(value) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return number(value, value < 10 && unit > 0 ? 1 : 0) + " " + units[unit];
}

const rate = (value) => (value === null ? "–" : bytes(value) + "/s");

function element(name, text, classes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return seconds + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  return seconds < 172800 ? Math.round(seconds / 3600) + " h" : Math.round(seconds / 86400) + " d";
}

// ---- what the status says, by job

function jobsOf(status) {
  const jobs = new Map();
  for (const job of status.jobs || []) {
    jobs.set(job.job, Object.assign({ sentBytes: 0, receivedBytes: 0, atDoor: true }, job));
  }
  for (const traffic of status.traffic || []) {
    const idle = { atDoor: false, flows: [], demand: 0, share: 0, weight: null };
    jobs.set(traffic.job, Object.assign(idle, jobs.get(traffic.job), traffic));
  }
  return jobs;
}

/** A job keeps its colour while it is shown. */
function colour(job, jobs) {
  if (!colours.has(job)) {
    for (const known of colours.keys()) if (!jobs.has(known)) colours.delete(known);
    const taken = new Set(colours.values());
    let free = 0;
    while (taken.has(free)) free++;
    colours.set(job, free);
  }
  const chosen = colours.get(job);
  return chosen < COLOURS ? "c" + chosen : "rest";
}

function remember(status, jobs) {
  const before = samples[samples.length - 1];
  if (before && status.uptimeMs < before.time) samples.length = 0;
  const sample = { time: status.uptimeMs, jobs: new Map() };
  for (const [id, job] of jobs) {
    const previous = samples.length > 0 ? samples[samples.length - 1] : null;
    const old = previous && previous.jobs.get(id);
    const seconds = previous ? (sample.time - previous.time) / 1000 : 0;
    const speed = (name) =>
      old && seconds > 0 ? Math.max(0, job[name] - old[name]) / seconds : null;
    sample.jobs.set(id, {
      flows: job.flows.length,
      receivedBytes: job.receivedBytes,
      sentBytes: job.sentBytes,
      received: speed("receivedBytes"),
      sent: speed("sentBytes"),
    });
  }
  samples.push(sample);
  while (samples.length > SAMPLES) samples.shift();
  return sample;
}

// ---- charts

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The least of 1, 2, 5, 10, 20 … that holds the value. */
function ceiling(value) {
  const power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999);
}

/**
 * Areas on top of each other: one for each colour, and one grey for all further jobs. A sample
 * stands for the time since the one before.
 */
function draw(svg, value, least, label) {
  if (samples.length < 2) {
    svg.replaceChildren();
    return;
  }
  const shown = samples.slice(1);
  const width = svg.clientWidth || 300;
  const height = svg.clientHeight || 144;
  const floor = height - 16;
  const classes = new Map();
  for (const sample of shown) {
    for (const id of sample.jobs.keys()) {
      const name = colours.has(id) && colours.get(id) < COLOURS ? "c" + colours.get(id) : "rest";
      classes.set(name, (classes.get(name) || new Set()).add(id));
    }
  }
  const total = (sample) => [...sample.jobs.values()].reduce((sum, j) => sum + (value(j) || 0), 0);
  const top = Math.max(least, ceiling(Math.max(...shown.map(total), least)));
  const first = samples[0].time;
  const span = Math.max(samples[samples.length - 1].time - first, (SAMPLES * EVERY_MS) / 8);
  const x = (time) => ((time - first) / span) * width;
  const y = (amount) => floor - (amount / top) * (floor - 14);
  const parts = [];
  for (const part of [1, 0.5]) {
    const line = y(top * part);
    parts.push(shape("line", { class: "grid", x1: 0, x2: width, y1: line, y2: line }));
  }
  const steps = (amounts) => shown.flatMap((sample, i) => [samples[i].time, sample.time]
    .map((time) => x(time).toFixed(1) + " " + y(amounts[i]).toFixed(1)));
  let below = shown.map(() => 0);
  for (const [name, ids] of [...classes].sort()) {
    const above = shown.map((sample, i) =>
      [...ids].reduce((sum, id) => sum + (value(sample.jobs.get(id) || {}) || 0), below[i]));
    const outline = steps(above).concat(steps(below).reverse());
    parts.push(shape("path", { class: name, d: "M" + outline.join("L") + "Z" }));
    below = above;
  }
  parts.push(shape("line", { class: "grid", x1: 0, x2: width, y1: floor, y2: floor }));
  parts.push(shape("text", { x: 0, y: y(top) - 3 }, label(top)));
  const past = "−" + duration(samples[samples.length - 1].time - first);
  parts.push(shape("text", { x: 0, y: height - 3 }, past));
  const end = x(samples[samples.length - 1].time);
  parts.push(shape("text", { x: end, y: height - 3, "text-anchor": end > 60 ? "end" : "start" },
    end > 60 ? "now" : ""));
  svg.replaceChildren(...parts);
}

function charts(status, sample) {
  const sum = (name) => [...sample.jobs.values()].reduce((s, j) => s + (j[name] || 0), 0);
  draw(at("flows-chart"), (job) => job.flows, status.budget, (v) => number(v, 1));
  draw(at("received-chart"), (job) => job.received, 1000, (v) => bytes(v) + "/s");
  draw(at("sent-chart"), (job) => job.sent, 1000, (v) => bytes(v) + "/s");
  at("flows-now").textContent = number(sum("flows"));
  at("received-now").textContent = rate(sum("received"));
  at("sent-now").textContent = rate(sum("sent"));
}

// ---- numbers and tables

function budget(status, jobs) {
  at("in-use").textContent = number(status.inUse);
  at("budget").textContent = number(status.budget);
  const demand = [...jobs.values()].reduce((sum, job) => sum + job.demand, 0);
  const waiting = Math.max(0, demand - status.inUse);
  at("waiting").textContent = waiting > 0 ? "· " + number(waiting) + " more wanted" : "";
  const sharing = status.sharing || {};
  at("policy").textContent = "Policy: " + sharing.policy
    + (sharing.rulesFile ? ", rules of " + sharing.rulesFile : "");
  at("rules").textContent = "The rules file is not in force as it is now: " + sharing.rulesProblem;
  at("rules").hidden = !sharing.rulesProblem;
  const holding = [...jobs].filter(([, job]) => job.flows.length > 0);
  at("bar").replaceChildren(...holding.map(([id, job]) => {
    const part = element("span", undefined, colour(id, jobs));
    part.style.width = (100 * job.flows.length) / Math.max(1, status.budget) + "%";
    return part;
  }));
  at("bar").setAttribute("aria-label", holding.length === 0 ? "no flow is in use"
    : holding.map(([id, job]) => id + ": " + job.flows.length).join(", "));
}

function weight(job) {
  if (job.weight === null) return "–";
  const now = number(job.weight, 2);
  const capped = typeof job.weightCap === "number" && job.wantedWeight > job.weightCap;
  return capped ? now + " (capped, wants " + number(job.wantedWeight, 2) + ")" : now;
}

function cell(label, text, classes) {
  const made = element("td", text, classes);
  made.dataset.label = label;
  return made;
}

function jobRow(id, job, jobs, sample) {
  const row = element("tr", undefined, "job");
  const name = cell("Job");
  const button = element("button", id);
  button.type = "button";
  button.dataset.job = id;
  button.setAttribute("aria-expanded", String(opened.has(id)));
  name.append(element("span", undefined, "swatch " + colour(id, jobs)), button);
  const now = sample.jobs.get(id);
  const waiting = Math.max(0, job.demand - job.flows.length);
  row.append(name, cell("User", job.user || "–"), cell("Class", job.transferClass || "–"),
    cell("Weight", weight(job), "number"),
    cell("Flows", number(job.flows.length), "number"),
    cell("Share", job.atDoor ? number(job.share) : "–", "number"),
    cell("Waiting", number(waiting), "number"),
    cell("Receives", rate(now.received), "number"), cell("Sends", rate(now.sent), "number"),
    cell("Received", bytes(job.receivedBytes), "number"),
    cell("Sent", bytes(job.sentBytes), "number"));
  return row;
}

/** What the kernel tells of a connection. */
function kernel(told) {
  if (!told) return "";
  return (told.ecn ? ", ECN with " + number(told.marks) + " marks" : "")
    + (told.rttMicros > 0 ? ", " + number(told.rttMicros / 1000, 2) + " ms" : "")
    + (told.retransmits > 0 ? ", " + number(told.retransmits) + " sent again" : "");
}

function flowRow(id, job, served) {
  const row = element("tr", undefined, "flows");
  const all = element("td");
  all.colSpan = 11;
  const list = element("ul");
  for (const flow of job.flows) {
    const line = element("li", flow.task.replace("attempt_" + id.slice(4) + "_", "") + " from " + flow.peer + ", " + flow.congestionControl
      + (flow.subflows ? " over MPTCP with " + flow.subflows + " subflow" + (flow.subflows > 1 ? "s" : "") : "")
      + (["default", flow.congestionControl, flow.subflows ? "mptcp" : ""].includes(flow.transport) ? "" : " (" + flow.transport + ")")
      + (!flow.rule || flow.rule === "asked for" ? "" : " by " + flow.rule)
      + kernel(flow.kernel) + ", since " + duration(flow.ageMs));
    if (flow.refusal) line.append(" ", element("span", flow.refusal, "refused"));
    list.append(line);
  }
  if (job.flows.length === 0) list.append(element("li", "No flow is leased to it here now."));
  const kinds = new Map();
  for (const one of served.filter((connection) => connection.job === id)) {
    const kind = one.congestionControl + (one.kernel && one.kernel.ecn ? " with ECN" : "")
      + (one.encrypted ? ", encrypted" : ", in clear");
    kinds.set(kind, (kinds.get(kind) || 0) + 1);
  }
  for (const [kind, count] of kinds) {
    list.append(element("li", number(count) + " connections fetch from here, " + kind));
  }
  all.append(list);
  row.append(all);
  return row;
}

/** Whoever moves by keyboard keeps the focus, though the rows are new ones. */
function table(status, jobs, sample) {
  const focused = document.activeElement && document.activeElement.dataset
    ? document.activeElement.dataset.job : undefined;
  const rows = [];
  for (const [id, job] of jobs) {
    rows.push(jobRow(id, job, jobs, sample));
    if (opened.has(id)) rows.push(flowRow(id, job, status.served || []));
  }
  at("jobs").tBodies[0].replaceChildren(...rows);
  at("jobs").hidden = jobs.size === 0;
  at("no-jobs").hidden = jobs.size > 0;
  if (focused !== undefined) {
    const again = [...at("jobs").querySelectorAll("button")].find((b) => b.dataset.job === focused);
    if (again) again.focus({ preventScroll: true });
  }
}

function mptcpLimits(limits) {
  return !limits ? "" : ", subflows " + limits.subflows + ", add_addr_accepted " + limits.addAddrAccepted +
    ", endpoints " + limits.subflowEndpoints + " subflow and " + limits.signalEndpoints + " signal";
}

function facts(status) {
  const door = status.door || {};
  const can = status.capabilities || {};
  const has = status.traits || {};
  const marking = (status.paths || []).filter((path) => path.marking);
  const ecn = { 0: "off", 1: "asked for and accepted", 2: "accepted" };
  const pairs = [
    ["Version", status.version],
    ["Up for", duration(status.uptimeMs)],
    ["Door for reducers", door.path ? door.path : "none: " + door.closedBecause],
    ["Transports", (can.congestionControls || []).join(", ") || "the kernel's own only"],
    ["Not allowed to us", (has.deniedCongestionControls || []).join(", ") || "none"],
    ["Interfaces", (has.interfaces || []).join(", ") || "unknown"],
    ["ECN of other connections", ecn[has.tcpEcn] || "tcp_ecn is " + has.tcpEcn],
    ["MPTCP in the kernel", (has.mptcpEnabled ? "on" : "off") + mptcpLimits(has.mptcpLimits)],
    ["Encryption", has.tls || "none"],
    ["Map hosts to which the network marks", marking.map((path) => path.host).join(", ") || "none"],
    ["Jobs that may shuffle", number(status.knownJobs)],
    ["Connections that fetch from here", number((status.served || []).length)],
  ];
  at("facts").replaceChildren(...pairs.flatMap(([name, value]) =>
    [element("dt", name), element("dd", value)]));
  at("counters").replaceChildren(...Object.keys(status.counters || {}).map((name) => {
    const pair = element("div");
    pair.append(element("dt", name), element("dd", number(status.counters[name])));
    return pair;
  }));
}

function show(status) {
  const jobs = jobsOf(status);
  jobs.forEach((job, id) => colour(id, jobs));
  const sample = remember(status, jobs);
  at("host").textContent = status.host + ":" + status.port;
  document.title = status.inUse + "/" + status.budget + " flows · " + status.host;
  budget(status, jobs);
  charts(status, sample);
  table(status, jobs, sample);
  facts(status);
  last = { status, jobs, sample };
}

// ---- asking

function state(name, text) {
  const shown = at("state");
  if (shown.dataset.state !== name) shown.textContent = text;
  shown.dataset.state = name;
}

function away(reason) {
  state("away", "away");
  at("away").textContent = reason + (lastSeen === null ? ""
    : " What is shown is from " + lastSeen.toLocaleTimeString() + ".")
    + " It is asked again every " + EVERY_MS / 1000 + " s.";
  at("away").hidden = false;
}

async function ask() {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    const reply = await fetch("status", { cache: "no-store", signal: stop.signal });
    if (!reply.ok) {
      away("The NodeManager answers " + reply.status + ": " + (await reply.text()).slice(0, 300) + ".");
      return;
    }
    const status = await reply.json();
    if (paused) return;
    show(status);
    lastSeen = new Date();
    at("away").hidden = true;
    state("live", "live");
  } catch (error) {
    away(stop.signal.aborted
      ? "The NodeManager has not answered for " + TIMEOUT_MS / 1000 + " s."
      : "The NodeManager does not answer.");
  } finally {
    clearTimeout(limit);
  }
}

async function round() {
  clearTimeout(timer);
  if (!paused && document.visibilityState === "visible") await ask();
  clearTimeout(timer);
  timer = setTimeout(round, EVERY_MS);
}

at("pause").addEventListener("click", () => {
  paused = !paused;
  at("pause").setAttribute("aria-pressed", String(paused));
  at("pause").textContent = paused ? "Go on" : "Pause";
  if (paused) state("paused", "paused");
  else round();
});

at("jobs").addEventListener("click", (event) => {
  const job = event.target.dataset.job;
  if (job === undefined) return;
  if (!opened.delete(job)) opened.add(job);
  table(last.status, last.jobs, last.sample);
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") round();
});
window.addEventListener("resize", () => {
  if (last !== null) charts(last.status, last.sample);
});

round();
