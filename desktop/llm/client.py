"""One model at one endpoint, asked over the protocol that the endpoint speaks."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    Capabilities,
    Endpoint,
    EndpointKind,
    RoleParameters,
)
from desktop.domain.errors import (
    LlmError,
    ModelUnknownError,
    ReplyInvalidError,
    RequestRejectedError,
)
from desktop.domain.json_values import JsonValue
from desktop.domain.model import Hold, ModelRequest
from desktop.domain.usage import USUAL_CHARACTERS_A_TOKEN, Usage, estimate_tokens
from desktop.llm.connection import Connection
from desktop.llm.endpoints import known_model
from desktop.llm.messages_api import message_params, tool_params
from desktop.llm.stream import AnswerStream
from desktop.llm.wire import Asked, UnreadableEventError, WireStream, count_of, fields_of

_THOUGHT_END = "</think>"
CLOUD_CONTEXT_TOKENS = 200_000
CHAT_CLOUD_TOKENS = 128_000
LOCAL_CONTEXT_TOKENS = 8192

_SMALLEST_SHARE_OF_CONTEXT = 5


@dataclass(frozen=True, slots=True)
class EndpointModel:
    """Implements domain.model.Model through an official SDK; a light view of a Connection."""

    _connection: Connection
    _chosen_name: str  # Empty if no model was chosen: then the endpoint's own list decides
    _endpoint: Endpoint | None = None
    parameters: RoleParameters = USUAL_PARAMETERS
    check: Callable[[Endpoint], None] = field(default=lambda _: None, compare=False)
    """Called before each request and while its answer streams in.

    Raises an LlmError if the endpoint may not be asked any more.
    """

    @property
    def endpoint(self) -> Endpoint:
        return self._endpoint or self._connection.endpoint

    @property
    def name(self) -> str:
        """Return the model's name, without waiting; empty before the first request if unset."""
        return self._chosen_name or self._connection.usual_model

    @property
    def capabilities(self) -> Capabilities:
        names = ("tools", "web_tools", "images", "structured_output")
        refused = {name for name in names if self.name in self._connection.refused[name]}
        return replace(self.endpoint.capabilities, **dict.fromkeys(refused, False))

    def context_tokens(self) -> int:
        """Return the context set by the user, else the endpoint's, a known or a cautious one.

        Requests the endpoint's list once; after a failure it is requested again.
        """
        if tokens := self.endpoint.context_tokens or self._known_context_tokens():
            return tokens
        if self.endpoint.kind is EndpointKind.ANTHROPIC:
            return CLOUD_CONTEXT_TOKENS
        return CHAT_CLOUD_TOKENS if self._connection.is_cloud else LOCAL_CONTEXT_TOKENS

    @contextmanager
    def stream(self, request: ModelRequest) -> Iterator[AnswerStream]:
        most = self.parameters.most_output_tokens
        if most is not None:
            request = replace(request, max_output_tokens=min(most, request.max_output_tokens))
        with self._connection.slots.held(self.endpoint), closing(self._open(request)) as stream:
            yield stream

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        with self._connection.slots.held(self.endpoint):
            return self._ask_json(request, schema, hold)

    def _ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None
    ) -> tuple[JsonValue, Usage]:
        if not self.capabilities.structured_output:
            return self._read_json(self._open(_asked_in_words(request, schema)), hold)
        if self.endpoint.kind is EndpointKind.GGUF:
            return self._ask_llama(request, schema)
        try:
            return self._read_json(self._open(request, schema), hold)
        except RequestRejectedError as exc:
            if "schema" not in (detail := _detail(exc)) and "response_format" not in detail:
                raise
            self._connection.refused["structured_output"].add(self.name)
            return self._read_json(self._open(_asked_in_words(request, schema)), hold)

    def count_tokens(self, request: ModelRequest) -> int:
        """Return the endpoint's count, otherwise an estimate at four characters a token.

        Four fits English and is generous for Turkish, which some models cut into pieces of about
        three, so callers that compare it with a limit leave room.
        """
        request = self._seen(request)
        if not self.capabilities.count_tokens:
            return self._estimated_tokens(request)
        with self._connection.errors(self.name, request):
            return self._connection.api().count_tokens(self._asked_name(), request)

    def _open(
        self, request: ModelRequest, schema: Mapping[str, JsonValue] | None = None
    ) -> AnswerStream:
        request, name = self._seen(request), self._asked_name()
        try:
            events = self._events(request, name, schema)
        except RequestRejectedError as exc:
            adapted = self._adapted(request, exc)
            stream = self._open(adapted, schema)
            if adapted.web is not request.web:
                stream.refuse_web()
            return stream
        send = partial(self._events, name=name, schema=schema)
        return AnswerStream(
            _events=events,
            _connection=self._connection,
            _model=name,
            _request=request,
            _send=send,
            check=partial(self.check, self.endpoint),
        )

    def _adapted(self, request: ModelRequest, refusal: RequestRejectedError) -> ModelRequest:
        """Return the request without what was refused, also from now on; raise the refusal."""
        detail = _detail(refusal)
        if "image" in detail and any(message.pictures for message in request.messages):
            # The user is informed; the next request of the session comes without them.
            self._connection.refused["images"].add(self.name)
            raise refusal
        if refused := [name for name in self._sampling() if name in detail]:
            self._connection.refused[refused[0]].add(self.name)
            return request
        if request.web is not None and "web" in detail:
            # The account may not allow it, or the model is too old for it.
            self._connection.refused["web_tools"].add(self.name)
            return replace(request, web=None)
        # Other models of the server accept tools; this one gets none from now on.
        if not request.tools or request.rounds or "tool" not in detail:
            raise refusal
        self._connection.refused["tools"].add(self.name)
        return replace(request, tools=())

    def _events(
        self, request: ModelRequest, name: str, schema: Mapping[str, JsonValue] | None
    ) -> WireStream:
        self.check(self.endpoint)
        with self._connection.errors(name, request):
            return self._connection.api().stream(self._build_call(request, name, schema))

    def _build_call(
        self, request: ModelRequest, name: str, schema: Mapping[str, JsonValue] | None
    ) -> Asked:
        return Asked(
            model=name,
            request=request,
            max_tokens=self._output_tokens(request.max_output_tokens),
            caching=self.capabilities.caching,
            sampling=self._sampling(),
            schema=schema,
        )

    def _sampling(self) -> dict[str, float]:
        if self.endpoint.kind is EndpointKind.ANTHROPIC:
            return {}
        chosen, refused = self.parameters, self._connection.refused
        several = {"temperature": chosen.temperature, "top_p": chosen.top_p}
        return {
            name: value
            for name, value in several.items()
            if value is not None and self.name not in refused[name]
        }

    def _seen(self, request: ModelRequest) -> ModelRequest:
        if self.capabilities.images:
            return request
        return replace(request, messages=[replace(m, pictures=()) for m in request.messages])

    def _asked_name(self) -> str:
        self.check(self.endpoint)
        if not self.name:
            self._connection.look_up_models()
        if not self.name:
            raise ModelUnknownError(model="", where=self.endpoint.name)
        return self.name

    def _read_json(self, stream: AnswerStream, hold: Hold | None) -> tuple[JsonValue, Usage]:
        with closing(stream):
            if hold is not None:
                hold(stream)
            for _ in stream:
                pass
            return _json_in(stream.reply().text), stream.usage

    def _ask_llama(
        self, request: ModelRequest, schema: Mapping[str, JsonValue]
    ) -> tuple[JsonValue, Usage]:
        """The embedded server enforces a schema only on its chat completions endpoint."""
        with self._connection.errors(self.name, request):
            call = self._build_call(request, self._asked_name(), schema)
            answer = self._connection.api().complete(call)
        match answer:
            case {"choices": [{"message": {"content": str(text)}}, *_]}:
                return _json_in(text), _chat_usage(answer)
            case _:
                raise ReplyInvalidError

    def _known_context_tokens(self) -> int | None:
        if self._connection.listed is None:
            with suppress(LlmError):  # the request itself will fail, after its own retries
                self._connection.look_up_models()
        info = self._connection.model_info(self.name)
        if info and info.context_tokens:
            return info.context_tokens
        model = known_model(self.name)
        return model.context_tokens if model else None

    def _output_tokens(self, wished: int) -> int:
        """Return the output limit; in a small local context most tokens stay free for input."""
        info = self._connection.model_info(self.name)
        model = known_model(self.name)
        limits = [wished, info and info.max_output_tokens, model and model.max_output_tokens]
        if not self._connection.is_cloud:
            context = self.endpoint.context_tokens or (info and info.context_tokens)
            limits.append(context and context // _SMALLEST_SHARE_OF_CONTEXT)
        return min(limit for limit in limits if limit)

    def _estimated_tokens(self, request: ModelRequest) -> int:
        called = ModelRequest("", request.rounds)
        texts = request.texts
        for written in (tool_params(request), message_params(called, caching=False)):
            texts += [json.dumps(written, ensure_ascii=False)] if written else []
        pictures = sum(
            picture.tokens for message in request.messages for picture in message.pictures
        )
        return pictures + estimate_tokens(sum(map(len, texts)), USUAL_CHARACTERS_A_TOKEN)


def _detail(refusal: RequestRejectedError) -> str:
    return str(refusal.values.get("detail", "")).lower()


def _chat_usage(answer: Mapping[str, JsonValue]) -> Usage:
    try:
        usage = fields_of(answer.get("usage"))
        read, written = count_of(usage, "prompt_tokens"), count_of(usage, "completion_tokens")
    except UnreadableEventError:
        return Usage()
    return Usage(input_tokens=read or 0, output_tokens=written or 0)


def _asked_in_words(request: ModelRequest, schema: Mapping[str, JsonValue]) -> ModelRequest:
    """Return the request with the JSON instruction in its last, changing block."""
    wish = (
        "Reply with one JSON document and nothing else: no introduction, no code fence. "
        f"It must match this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
    changing = f"{request.changing}\n\n{wish}" if request.changing else wish
    return replace(request, changing=changing)


def _json_in(text: str) -> JsonValue:
    """Return the first complete JSON object or array; raises ReplyInvalidError."""
    answer = text.rpartition(_THOUGHT_END)[2]
    decoder = json.JSONDecoder()
    for place, letter in enumerate(answer):
        if letter not in "{[":
            continue
        try:
            value: JsonValue = decoder.raw_decode(answer, place)[0]
        except json.JSONDecodeError:
            continue
        return value
    raise ReplyInvalidError
